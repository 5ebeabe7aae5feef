/// A stretch of business days that a metric is of: a day, an ISO 8601 week (Monday to Sunday) or a month (metrics.md,
/// "Time").
package struct ReportingPeriod: Hashable, Sendable, Comparable {
    package let grain: Grain
    package let first: BusinessDay
    /// Included.
    package let last: BusinessDay

    /// The length of a reporting period. The raw values appear in URLs and are the field names of PostgreSQL's `date_trunc`.
    package enum Grain: String, Sendable, Hashable, CaseIterable {
        case day
        case week
        case month
    }

    /// The period that a day lies in.
    package init(_ grain: Grain, containing day: BusinessDay) {
        self.grain = grain
        switch grain {
        case .day:
            (first, last) = (day, day)
        case .week:
            first = day.advanced(by: 1 - day.weekday)
            last = first.advanced(by: 6)
        case .month:
            first = BusinessDay(year: day.year, month: day.month, day: 1)
            last = first.advanced(by: BusinessDay.length(ofMonth: day.month, year: day.year) - 1)
        }
    }

    private init(_ grain: Grain, first: BusinessDay, last: BusinessDay) {
        (self.grain, self.first, self.last) = (grain, first, last)
    }

    /// The part of it that lies within some days, of which one at least is its own: what is asked of it is asked of those days alone, and
    /// it is called by them (metrics.md, "Cut periods").
    package func within(_ from: BusinessDay, through: BusinessDay) -> ReportingPeriod {
        ReportingPeriod(grain, first: max(first, from), last: min(last, through))
    }

    /// The period that it is a part of; itself when it is not cut.
    package var whole: ReportingPeriod { ReportingPeriod(grain, containing: first) }

    package var isCut: Bool { self != whole }

    package var next: ReportingPeriod { ReportingPeriod(grain, containing: whole.last.advanced(by: 1)) }

    package var previous: ReportingPeriod { ReportingPeriod(grain, containing: whole.first.advanced(by: -1)) }

    /// The period this many before it; after it when negative.
    package func earlier(by count: Int) -> ReportingPeriod {
        switch grain {
        case .day: return ReportingPeriod(.day, containing: first.advanced(by: -count))
        case .week: return ReportingPeriod(.week, containing: first.advanced(by: -7 * count))
        case .month:
            let months = first.year * 12 + first.month - 1 - count
            let (year, month) = (months.quotientAndRemainder(dividingBy: 12))
            return ReportingPeriod(.month, containing: BusinessDay(year: year, month: month + 1, day: 1))
        }
    }

    /// The periods from the one to the other, both included; none when they are the wrong way round.
    package static func all(from start: ReportingPeriod, through end: ReportingPeriod) -> [ReportingPeriod] {
        var periods: [ReportingPeriod] = []
        var period = start
        while period <= end {
            periods.append(period)
            period = period.next
        }
        return periods
    }

    /// The periods that some days lie in, the first and the last cut where the days begin and end within them; none when the days are the
    /// wrong way round.
    package static func all(_ grain: Grain, from: BusinessDay, through: BusinessDay) -> [ReportingPeriod] {
        guard from <= through else { return [] }
        return all(from: ReportingPeriod(grain, containing: from), through: ReportingPeriod(grain, containing: through))
            .map { $0.within(from, through: through) }
    }

    /// True if the period is still running on a day: its last day is not over.
    package func isPartial(on today: BusinessDay) -> Bool { last >= today }

    package static func < (left: ReportingPeriod, right: ReportingPeriod) -> Bool { left.first < right.first }
}
