package import Billing

/// Which revenue is asked for.
package struct RevenueQuestion: Hashable, Sendable {
    package var filter: NumbersFilter
    package var from: BusinessDay
    /// Included.
    package var through: BusinessDay
    package var grain: ReportingPeriod.Grain
    package var breakdown: RevenueCell.Breakdown?
    /// All amounts in this currency, each at the rate of its own day; nil: each in its own.
    package var reporting: Currency?

    package init(
        filter: NumbersFilter,
        from: BusinessDay,
        through: BusinessDay,
        grain: ReportingPeriod.Grain,
        breakdown: RevenueCell.Breakdown? = nil,
        reporting: Currency? = nil
    ) {
        self.filter = filter
        self.from = from
        self.through = through
        self.grain = grain
        self.breakdown = breakdown
        self.reporting = reporting
    }
}
