package import Billing

/// A query for revenue.
package struct RevenueQuery: Hashable, Sendable {
    package var filter: MetricsFilter
    package var from: BusinessDay
    /// Included.
    package var through: BusinessDay
    package var grain: ReportingPeriod.Grain
    package var breakdown: RevenueCell.Breakdown?
    /// All amounts in this currency, each at the rate of its own day; nil: each in its own.
    package var reporting: Currency?
    package var needed: Needed

    /// The metrics that are used; the others may be 0.
    package enum Needed: Hashable, Sendable {
        case everything
        case gross
        case refunds
        /// Gross revenue, refunds by the day they were made, and what follows from both.
        case net
    }

    package init(
        filter: MetricsFilter,
        from: BusinessDay,
        through: BusinessDay,
        grain: ReportingPeriod.Grain,
        breakdown: RevenueCell.Breakdown? = nil,
        reporting: Currency? = nil,
        needed: Needed = .everything
    ) {
        self.filter = filter
        self.from = from
        self.through = through
        self.grain = grain
        self.breakdown = breakdown
        self.reporting = reporting
        self.needed = needed
    }
}
