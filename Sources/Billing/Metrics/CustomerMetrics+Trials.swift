import Foundation

extension CustomerMetrics {
    /// Their free trials, on the day each began, and what became of them. Those shared by family are none of theirs to
    /// pay for.
    var trials: [MetricsEntry] {
        let subscriptions = Dictionary(grouping: periods, by: \.subscription)
        return subscriptions.values.flatMap { own in
            let paid = own.filter(\.access.isPaid).map(\.access.startsAt).sorted()
            let stretches = own.filter { $0.access.isTrial && !$0.access.isFamilyShared }
            return Dictionary(grouping: stretches, by: \.access.transactionID).values.flatMap { trial in
                entries(of: trial.sorted { $0.access.startsAt < $1.access.startsAt }, paid: paid)
            }
        }
    }

    /// - Parameters:
    ///   - stretches: of one trial, in order; more than one when it was paused.
    ///   - paid: when the subscription's paid periods begin, in order.
    private func entries(of stretches: [MetricsPeriod], paid: [Date]) -> [MetricsEntry] {
        guard let first = stretches.first, let last = stretches.last else { return [] }
        let start = first.access.startsAt
        let day = BusinessDay(start, in: zone)
        func entry(_ measure: MetricsEntry.Measure, _ count: Int, at moment: Date) -> MetricsEntry {
            MetricsEntry(
                measure: measure,
                day: day,
                dimension: 0,
                cell: first.cell,
                amount: 0,
                count: count,
                effectiveAt: moment
            )
        }
        var entries = [entry(.trial, 1, at: start)]
        // What is paid for later is a purchase of its own.
        let latest = last.access.endsAt.map(lastConversion(after:)) ?? .distantFuture
        let payment = paid.first { $0 >= start && $0 <= latest }
        if let payment { entries.append(entry(.trialConverted, 1, at: payment)) }
        if let end = last.access.endsAt, payment.map({ end < $0 }) ?? true {
            entries.append(entry(.trialAbandoned, 1, at: end))
            if let payment { entries.append(entry(.trialAbandoned, -1, at: payment)) }
        }
        return entries
    }

    private func lastConversion(after end: Date) -> Date {
        end.addingTimeInterval(Double(trialConversionDays) * 86_400)
    }
}
