import Foundation

extension CustomerMetrics {
    /// The changes from the end of each day to the end of the next.
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
        /// True if any earlier snapshot had paid access.
        var hadPaid: Bool

        var revenue: [(MetricsCell, Int64, MovementClass)] {
            var deltas = after.monthly
            for (cell, amount) in before.monthly { deltas[cell] = deltas[cell, default: 0].minus(amount) }
            let changed = deltas.filter { $0.value != 0 }
            if let movement { return changed.map { ($0.key, $0.value, movement) } }
            return Dictionary(grouping: changed, by: \.key.currency).values.flatMap { own in
                staying(own.sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) })
            }
        }

        var subscribers: [(MetricsCell, Int, MovementClass)] {
            guard before.subscribes != after.subscribes else { return [] }
            return [(before.subscribes, -1), (after.subscribes, 1)].compactMap { cell, count in
                cell.map { ($0, count, movement ?? .moved) }
            }
        }

        /// nil for who had paid access and still has.
        private var movement: MovementClass? {
            switch (before.subscribes != nil, after.subscribes != nil) {
            case (false, _): hadPaid ? .reactivation : .new
            case (true, false): .churned
            case (true, true): nil
            }
        }

        /// The gains and losses of one currency's cells: the part that both sides have in common has only moved.
        ///
        /// - Parameter deltas: none 0, always in the same order.
        private func staying(_ deltas: [(cell: MetricsCell, amount: Int64)]) -> [(MetricsCell, Int64, MovementClass)] {
            let gained = deltas.map(\.amount).filter { $0 > 0 }.boundedSum
            let lost = deltas.map(\.amount).filter { $0 < 0 }.boundedSum
            var moved = (gained: min(gained, Int64.zero.minus(lost)), lost: max(lost, Int64.zero.minus(gained)))
            return deltas.flatMap { cell, amount in
                let part = amount > 0 ? min(amount, moved.gained) : max(amount, moved.lost)
                if amount > 0 { moved.gained = moved.gained.minus(part) } else { moved.lost = moved.lost.minus(part) }
                let rest = amount.minus(part)
                let kinds: [(MetricsCell, Int64, MovementClass)] = [
                    (cell, part, .moved), (cell, rest, rest < 0 ? .contraction : .expansion),
                ]
                return kinds.filter { $0.1 != 0 }
            }
        }
    }

    /// The days, weeks and months at whose beginning they had paid access, and at whose end none.
    func losses(_ days: [Day]) -> [MetricsEntry] {
        var entries: [MetricsEntry] = []
        for (index, day) in days.enumerated() where day.snapshot.subscribes == nil {
            for (dimension, grain) in zip(1..., ReportingPeriod.Grain.allCases) {
                let period = ReportingPeriod(grain, containing: day.day)
                // Only the last change in the period counts, as they have not come back after it.
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
