import Foundation

extension CustomerMetrics {
    /// What changed from the end of each day to the end of the next.
    func movements(_ days: [Day]) -> [MetricsEntry] {
        var entries: [MetricsEntry] = []
        var before = Snapshot()
        var hasPaid = false
        for day in days {
            let after = day.snapshot
            let change = Change(before: before, after: after, hadPaid: hasPaid)
            entries += change.revenue.map { cell, amount, movement in
                MetricsEntry(.mrr, day, movement.rawValue, cell, amount: amount)
            }
            entries += change.subscribers.map { cell, count, movement in
                MetricsEntry(.subscriber, day, movement.rawValue, cell, count: count)
            }
            hasPaid = hasPaid || after.subscribes != nil
            before = after
        }
        return entries
    }

    /// From one snapshot to the next.
    private struct Change {
        var before: Snapshot
        var after: Snapshot
        /// Whether any snapshot before was one with paid access.
        var hadPaid: Bool

        var revenue: [(MetricsCell, Int64, MovementClass)] {
            var deltas = after.monthly
            for (cell, amount) in before.monthly { deltas[cell] = deltas[cell, default: 0].minus(amount) }
            var nets: [Currency?: Int64] = [:]
            for (cell, delta) in deltas { nets[cell.currency] = nets[cell.currency, default: 0].plus(delta) }
            return deltas.compactMap { cell, delta in
                delta == 0 ? nil : (cell, delta, movement(net: nets[cell.currency, default: 0]))
            }
        }

        var subscribers: [(MetricsCell, Int, MovementClass)] {
            guard before.subscribes != after.subscribes else { return [] }
            let movement = movement(net: 0)
            return [(before.subscribes, -1), (after.subscribes, 1)].compactMap { cell, count in
                cell.map { ($0, count, movement) }
            }
        }

        private func movement(net: Int64) -> MovementClass {
            switch (before.subscribes != nil, after.subscribes != nil) {
            case (false, _): hadPaid ? .reactivation : .new
            case (true, false): .churned
            case (true, true): net < 0 ? .contraction : .expansion
            }
        }
    }

    /// The days, weeks and months at whose beginning they had paid access, and at whose end none.
    func losses(_ days: [Day]) -> [MetricsEntry] {
        var entries: [MetricsEntry] = []
        for (index, day) in days.enumerated() where day.snapshot.subscribes == nil {
            for (dimension, grain) in zip(1..., ReportingPeriod.Grain.allCases) {
                let period = ReportingPeriod(grain, containing: day.day)
                // Whether this is the last change in it; they have not come back.
                guard index + 1 == days.count || days[index + 1].day > period.last,
                    let cell = days[..<index].last(where: { $0.day < period.first })?.snapshot.subscribes
                else { continue }
                entries.append(
                    MetricsEntry(
                        measure: .lost,
                        day: period.first,
                        dimension: dimension,
                        cell: cell,
                        amount: 0,
                        count: 1,
                        effectiveAt: period.last.end(in: zone)
                    )
                )
            }
        }
        return entries
    }
}

extension MetricsEntry {
    fileprivate init(
        _ measure: Measure,
        _ day: CustomerMetrics.Day,
        _ dimension: Int,
        _ cell: MetricsCell,
        amount: Int64 = 0,
        count: Int = 0
    ) {
        self.init(
            measure: measure,
            day: day.day,
            dimension: dimension,
            cell: cell,
            amount: amount,
            count: count,
            effectiveAt: day.lastChange
        )
    }
}
