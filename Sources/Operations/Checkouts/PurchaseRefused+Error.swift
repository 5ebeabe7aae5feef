import Billing
import Foundation

extension OperationsError {
    /// The refusal of a purchase, for programs; what is shown to customers has its day or amount in their language.
    init(_ refused: PurchaseRefused) {
        self.init(.conflict, refused.sentence, reason: refused.reason, underlying: refused)
    }
}

extension PurchaseRefused {
    fileprivate var reason: ProblemCode {
        switch self {
        case .higherPlanRuns: .higherPlanRuns
        case .renewsByItself: .alreadySubscribed
        case .worthLess: .worthLess
        case .otherCurrency: .otherCurrency
        case .tooFarAhead: .tooFarAhead
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .higherPlanRuns(let plan, let end):
            "The customer has the higher plan \(plan.code) until \(end.formatted(.iso8601))."
        case .renewsByItself(let plan, let day):
            "The customer's plan \(plan.code) renews by itself at \(day.formatted(.iso8601))."
        case .worthLess(let credit):
            "What is left of the customer's plan is worth \(credit.decimalText) \(credit.currency.code), and this costs no more."
        case .otherCurrency(let currency): "The customer's plan was paid in \(currency.code)."
        case .tooFarAhead: "The period would end more than ten years ahead."
        }
    }
}
