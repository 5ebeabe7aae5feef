import Billing
import HTTP
import Storage
import Words

/// The customers behind a metric of customers, in words.
struct CohortRowsText {
    private let strings: Strings

    init(_ strings: Strings) {
        self.strings = strings
    }

    /// "Customers first seen in Mar 2026, paid within 7 days"
    func subject(of filter: CohortRowsFilter) -> String {
        strings.list([everybody(filter), part(filter)].compactMap(\.self))
    }

    private func everybody(_ filter: CohortRowsFilter) -> String {
        let month = PeriodText(filter.month, strings).name
        return switch filter.metric {
        case .retention: strings.cohortRowsRetention(month: month)
        case .conversion, .lifetime: strings.cohortRowsConversion(month: month)
        case .customers: strings.cohortRowsCustomers(month: month)
        case .payers: strings.cohortRowsPayers(month: month)
        case .lifetimePayers: strings.cohortRowsLifetimePayers(month: month)
        case .holders: strings.cohortRowsHolders(plan: filter.metrics.plan ?? "")
        case .free: strings.cohortRowsFree.description
        case .trials: strings.cohortRowsTrials.description
        }
    }

    private func part(_ filter: CohortRowsFilter) -> String? {
        guard let step = filter.step, filter.metric.hasSteps else { return nil }
        if filter.metric == .retention {
            let number = strings.number(step + 1)
            return filter.paid
                ? strings.cohortRowsPaidPeriod(number: number) : strings.cohortRowsUnpaidPeriod(number: number)
        }
        guard ConversionCohort.limits.indices.contains(step) else {
            return (filter.paid ? strings.cohortRowsEverPaid : strings.cohortRowsNeverPaid).description
        }
        let days = strings.analyticsWithinDays(count: ConversionCohort.limits[step])
        return filter.paid ? strings.cohortRowsPaidWithin(days: days) : strings.cohortRowsUnpaidWithin(days: days)
    }
}
