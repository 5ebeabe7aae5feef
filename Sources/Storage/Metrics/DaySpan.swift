import Billing

/// A stretch of business days, which may have no beginning or no end.
struct DaySpan: Hashable {
    var from: BusinessDay?
    /// Included.
    var through: BusinessDay?

    /// The part of it that is read by the month, and the others, which are read by the day. Together they are the whole; none
    /// overlap.
    func split(_ days: MetricsCells.Days) -> (months: DaySpan?, days: [DaySpan]) {
        switch days {
        case .each: return (nil, [self])
        case .since(let day):
            let month = ReportingPeriod(.month, containing: day)
            if let from, from >= month.first { return (nil, [self]) }
            if let through, through < month.first { return (nil, [self]) }
            let before = DaySpan(from: from, through: month.previous.last).split(.months)
            return (before.months, before.days + [DaySpan(from: month.first, through: through)])
        case .months:
            let first = from.map { Self.firstWhole(since: $0) }
            let last = through.map { Self.lastWhole(until: $0) }
            if let first, let last, first > last { return (nil, [self]) }
            var rest: [DaySpan] = []
            if let from, let first, from < first { rest.append(DaySpan(from: from, through: first.advanced(by: -1))) }
            if let through, let last, last < through {
                rest.append(DaySpan(from: last.advanced(by: 1), through: through))
            }
            return (DaySpan(from: first, through: last), rest)
        }
    }

    /// The first day of the first month that is whole since a day.
    private static func firstWhole(since day: BusinessDay) -> BusinessDay {
        let month = ReportingPeriod(.month, containing: day)
        return month.first == day ? day : month.next.first
    }

    /// The last day of the last month that is whole until a day.
    private static func lastWhole(until day: BusinessDay) -> BusinessDay {
        let month = ReportingPeriod(.month, containing: day)
        return month.last == day ? day : month.previous.last
    }
}
