package import Foundation

/// One customer's contribution to the subscription metrics (docs/metrics.md), from all access periods of their subscriptions.
package struct CustomerMetrics: Sendable {
    let periods: [MetricsPeriod]
    let zone: TimeZone
    let trialConversionDays: Int

    /// - Parameters:
    ///   - zone: the app's business time zone.
    ///   - trialConversionDays: the number of days after its end within which a trial still converts.
    package init(
        _ periods: [MetricsPeriod],
        in zone: TimeZone,
        trialConversionDays: Int = MetricDefinitions.trialConversionDays
    ) {
        self.periods = periods
        self.zone = zone
        self.trialConversionDays = trialConversionDays
    }

    /// In no order; what adds nothing is left out.
    package var entries: [MetricsEntry] {
        let days = days
        return movements(days) + losses(days) + trials + retention
    }

    /// The customer at the end of a business day.
    struct Snapshot: Hashable {
        /// Minor units; only what is not 0.
        var monthly: [MetricsCell: Int64] = [:]
        /// The cell that they are counted under while they have paid access; nil without.
        var subscribes: MetricsCell?

        init() {}

        /// - Parameter running: the paid periods of that moment.
        init(_ running: [MetricsPeriod]) {
            for period in running where period.monthly != 0 {
                let sum = Int128(monthly[period.cell, default: 0]) + Int128(period.monthly)
                monthly[period.cell] = Int64(clamping: sum)
            }
            subscribes = running.deciding()?.cell
        }
    }

    /// A business day in which paid access began or ended.
    struct Day {
        var day: BusinessDay
        var snapshot: Snapshot
        var lastChange: Date
    }

    /// In order.
    private var days: [Day] {
        let paid = periods.filter(\.access.isPaid)
        var changes = paid.indices.map { (moment: paid[$0].access.startsAt, period: $0, begins: true) }
        for index in paid.indices {
            if let end = paid[index].access.endsAt { changes.append((end, index, false)) }
        }
        var running: Set<Int> = []
        var days: [Day] = []
        for change in changes.sorted(by: { $0.moment < $1.moment }) {
            if change.begins { running.insert(change.period) } else { running.remove(change.period) }
            let day = BusinessDay(change.moment, in: zone)
            if days.last?.day == day { days.removeLast() }
            days.append(Day(day: day, snapshot: Snapshot(running.map { paid[$0] }), lastChange: change.moment))
        }
        return days
    }
}
