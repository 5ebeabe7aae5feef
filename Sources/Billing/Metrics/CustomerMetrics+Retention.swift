import Foundation

extension CustomerMetrics {
    /// Their subscriptions on the day on which each was first paid for, and the periods that were paid for since.
    var retention: [MetricsEntry] {
        Dictionary(grouping: periods.filter(\.access.isPaid), by: \.subscription).values.flatMap(retention(of:))
    }

    /// - Parameter subscription: its paid stretches; more than one of a transaction when it was paused.
    private func retention(of subscription: [MetricsPeriod]) -> [MetricsEntry] {
        let ordered = subscription.sorted {
            ($0.access.startsAt, $0.access.transactionID) < ($1.access.startsAt, $1.access.transactionID)
        }
        var seen: Set<String> = []
        let paid = ordered.filter { seen.insert($0.access.transactionID).inserted }
        guard let first = paid.first else { return [] }
        let day = BusinessDay(first.access.startsAt, in: zone)
        func entry(_ measure: MetricsEntry.Measure, _ step: Int, _ count: Int, at moment: Date) -> MetricsEntry {
            MetricsEntry(
                measure: measure,
                day: day,
                dimension: step,
                cell: first.cell,
                amount: 0,
                count: count,
                effectiveAt: moment
            )
        }
        var entries = [entry(.started, 0, 1, at: first.access.startsAt)]
        // A full refund ends retention, for that period and all later ones.
        var end: Date?
        for (step, period) in paid.enumerated() {
            let start = period.access.startsAt
            end = [end, period.access.refundedAt].compactMap(\.self).min()
            if let end, end <= start { continue }
            entries.append(entry(.retained, step, 1, at: start))
            if let end { entries.append(entry(.retained, step, -1, at: end)) }
        }
        return entries
    }
}
