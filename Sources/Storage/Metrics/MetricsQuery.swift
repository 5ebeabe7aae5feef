package import Billing

/// A query for subscription metrics: a filter and a range of days, divided into periods.
package struct MetricsQuery: Hashable, Sendable {
    package var filter: MetricsFilter
    package var grain: ReportingPeriod.Grain
    package var from: BusinessDay
    /// Included.
    package var through: BusinessDay

    package init(filter: MetricsFilter, from: BusinessDay, through: BusinessDay, grain: ReportingPeriod.Grain) {
        self.filter = filter
        self.grain = grain
        self.from = from
        self.through = through
    }

    /// Of whole months, those that the days lie in.
    package init(filter: MetricsFilter, monthsFrom from: BusinessDay, through: BusinessDay) {
        self.init(
            filter: filter,
            from: ReportingPeriod(.month, containing: from).first,
            through: ReportingPeriod(.month, containing: through).last,
            grain: .month
        )
    }

    /// From the oldest on; the first and the last are cut where the days are.
    package var periods: [ReportingPeriod] { ReportingPeriod.all(grain, from: from, through: through) }

    /// The period of the answer that a day lies in.
    func period(containing day: BusinessDay) -> ReportingPeriod {
        ReportingPeriod(grain, containing: day).within(from, through: through)
    }

    /// The precision with which cells have to keep their days.
    var days: MetricsCells.Days {
        grain == .month && from == ReportingPeriod(.month, containing: from).first ? .months : .since(from)
    }
}
