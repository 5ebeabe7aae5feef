import Billing
import Storage

/// Who stands behind a figure of customers, in words.
struct CohortRowsText {
    private let words: Words

    init(_ words: Words) {
        self.words = words
    }

    /// "Customers first seen in Mar 2026, paid within 7 days"
    func subject(of filter: CohortRowsFilter) -> String {
        words.list([everybody(filter), part(filter)].compactMap(\.self))
    }

    private func everybody(_ filter: CohortRowsFilter) -> String {
        let month = PeriodText(filter.month, words).name
        return switch filter.figure {
        case .retention: words.cohortRowsRetention(month: month)
        case .conversion, .lifetime: words.cohortRowsConversion(month: month)
        case .customers: words.cohortRowsCustomers(month: month)
        case .payers: words.cohortRowsPayers(month: month)
        case .lifetimePayers: words.cohortRowsLifetimePayers(month: month)
        case .holders: words.cohortRowsHolders(plan: filter.numbers.plan ?? "")
        case .free: words.cohortRowsFree.description
        case .trials: words.cohortRowsTrials.description
        }
    }

    private func part(_ filter: CohortRowsFilter) -> String? {
        guard let step = filter.step, filter.figure.hasSteps else { return nil }
        if filter.figure == .retention {
            let number = words.number(step + 1)
            return filter.paid
                ? words.cohortRowsPaidPeriod(number: number) : words.cohortRowsUnpaidPeriod(number: number)
        }
        guard ConversionCohort.limits.indices.contains(step) else {
            return (filter.paid ? words.cohortRowsEverPaid : words.cohortRowsNeverPaid).description
        }
        let days = words.numbersWithinDays(count: ConversionCohort.limits[step])
        return filter.paid ? words.cohortRowsPaidWithin(days: days) : words.cohortRowsUnpaidWithin(days: days)
    }
}
