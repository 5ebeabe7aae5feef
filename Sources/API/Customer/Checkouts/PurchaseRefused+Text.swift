import Billing
import Foundation
import HTTP
import Words

extension PurchaseRefused {
    /// The reason for a customer, with its day or amount; nil where the reason's own sentence says all.
    func text(in strings: Strings, _ zone: TimeZone) -> String? {
        switch self {
        case .higherPlanRuns(let plan, let end):
            strings.problemsHigherPlanRunsUntil(day: Self.day(end, strings, zone), plan: plan.code)
        case .renewsByItself(let plan, let day):
            strings.problemsAlreadySubscribedUntil(day: Self.day(day, strings, zone), plan: plan.code)
        case .worthLess(let credit):
            strings.problemsWorthLessThan(amount: "\(MoneyText(credit, strings).amount) \(credit.currency.code)")
        case .otherCurrency, .tooFarAhead: nil
        }
    }

    private static func day(_ moment: Date, _ strings: Strings, _ zone: TimeZone) -> String {
        var style = Date.FormatStyle(date: .long, time: .omitted)
        (style.locale, style.timeZone) = (Locale(identifier: "\(strings.tag)"), zone)
        return moment.formatted(style)
    }
}
