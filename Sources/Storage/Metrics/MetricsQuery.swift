package import Billing

/// Which numbers of subscriptions are asked for: those of whole periods.
package struct MetricsQuery: Hashable, Sendable {
    package var filter: MetricsFilter
    package var first: ReportingPeriod
    /// Included; of the same length as the first.
    package var last: ReportingPeriod

    /// The periods that the days lie in.
    package init(filter: MetricsFilter, from: BusinessDay, through: BusinessDay, grain: ReportingPeriod.Grain) {
        self.filter = filter
        first = ReportingPeriod(grain, containing: from)
        last = ReportingPeriod(grain, containing: through)
    }

    package var periods: [ReportingPeriod] { ReportingPeriod.all(from: first, through: last) }
}
