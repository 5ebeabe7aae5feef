package import Foundation

extension BillingPeriod {
    /// The end of one period that starts at `start`, at the same wall-clock time in `zone`.
    ///
    /// A day that the last month lacks becomes that month's last: Jan 31 + 1 month = Feb 28, or 29 in a leap year.
    package func end(from start: Date, in zone: TimeZone) -> Date {
        end(of: 1, periodsFrom: start, in: zone)
    }

    /// The end of a period that follows others without a gap: where these began on a day that the month before lacked, it ends on that day
    /// again, so that months bought one by one lose nothing: Jan 31, Feb 28, Mar 31.
    ///
    /// - Parameter anchor: the beginning of the first of them; nil for a period that follows none.
    func end(from start: Date, anchoredAt anchor: Date?, in zone: TimeZone) -> Date {
        let end = end(from: start, in: zone)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        guard let anchor, isOfMonths, end < .distantFuture,
            let days = calendar.range(of: .day, in: .month, for: start)?.count,
            let longest = calendar.range(of: .day, in: .month, for: end)?.count
        else { return end }
        let first = calendar.component(.day, from: anchor)
        guard calendar.component(.day, from: start) == days, first > days else { return end }
        let missing = min(first, longest).subtractingReportingOverflow(calendar.component(.day, from: end)).partialValue
        return calendar.date(byAdding: .day, value: max(0, missing), to: end) ?? end
    }

    /// The end of the n-th period counted from the anchor, so a month's end never drifts:
    /// from Jan 31 the ends are Feb 28, Mar 31, Apr 30. What the calendar cannot hold is `Date.distantFuture`.
    package func end(of n: Int, periodsFrom anchor: Date, in zone: TimeZone) -> Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let (total, overflow) = count.multipliedReportingOverflow(by: n)
        guard !overflow, total.magnitude <= 1_000_000 else { return .distantFuture }
        let (component, value): (Calendar.Component, Int) =
            switch unit {
            case .day: (.day, total)
            case .week: (.day, total * 7)  // safe: at most a million, as asked above
            case .month: (.month, total)
            case .year: (.year, total)
            }
        return calendar.date(byAdding: component, value: value, to: anchor) ?? .distantFuture
    }
}
