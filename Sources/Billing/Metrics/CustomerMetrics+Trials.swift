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
    ///   - stretches: those of one trial, in order; more than one if it was paused.
    ///   - paid: the beginnings of the subscription's paid periods, in order.
    private func entries(of stretches: [MetricsPeriod], paid: [Date]) -> [MetricsEntry] {
        guard let first = stretches.first, let last = stretches.last else { return [] }
        return MetricsEntry.trial(
            from: first.access.startsAt,
            until: last.access.endsAt,
            in: first.cell,
            paid: paid,
            conversionDays: trialConversionDays,
            zone: zone
        )
    }
}

extension MetricsEntry {
    /// One free trial, on the day that it began, and its outcome.
    ///
    /// - Parameters:
    ///   - paid: the beginnings of the paid periods that may convert it, in order.
    ///   - conversionDays: the number of days after its end within which it converts; a later payment is a purchase of its own.
    ///   - zone: the app's business time zone.
    static func trial(
        from start: Date,
        until end: Date?,
        in cell: MetricsCell,
        paid: [Date],
        conversionDays: Int,
        zone: TimeZone
    ) -> [MetricsEntry] {
        let day = BusinessDay(start, in: zone)
        func entry(_ measure: MetricsEntry.Measure, _ count: Int, at moment: Date) -> MetricsEntry {
            MetricsEntry(
                measure: measure,
                day: day,
                dimension: 0,
                cell: cell,
                amount: 0,
                count: count,
                effectiveAt: moment
            )
        }
        var entries = [entry(.trial, 1, at: start)]
        let latest = end.map { $0.addingTimeInterval(Double(conversionDays) * 86_400) } ?? .distantFuture
        let payment = paid.first { $0 >= start && $0 <= latest }
        if let payment { entries.append(entry(.trialConverted, 1, at: payment)) }
        if let end, payment.map({ end < $0 }) ?? true {
            entries.append(entry(.trialAbandoned, 1, at: end))
            if let payment { entries.append(entry(.trialAbandoned, -1, at: payment)) }
        }
        return entries
    }
}
