import Billing
import HTTP

extension BillingPeriod {
    /// Returns the adverb of a payment: `monthly`, `every_3_months`; `lifetime` for a product that is paid once.
    static func adverb(_ period: BillingPeriod?) -> String {
        guard let period = period?.inLargestUnit else { return "lifetime" }
        return switch (period.unit, period.count) {
        case (.day, 1): "daily"
        case (.week, 1): "weekly"
        case (.month, 1): "monthly"
        case (.year, 1): "yearly"
        case (let unit, let count): "every_\(count)_\(unit.rawValue)s"
        }
    }

    /// The period in its largest unit: seven days are a week, twelve months a year.
    var inLargestUnit: BillingPeriod {
        switch unit {
        case .day where count.isMultiple(of: 7): BillingPeriod(count / 7, .week)
        case .month where count.isMultiple(of: 12): BillingPeriod(count / 12, .year)
        case .day, .week, .month, .year: self
        }
    }
}
