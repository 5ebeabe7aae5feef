package import Foundation

/// The schedule of a regular report: it is written once per business day, week or month, at an hour of the day after it.
package struct ReportSchedule: Hashable, Sendable {
    package var grain: ReportingPeriod.Grain
    /// 0 to 23, in the business time zone.
    package var hour: Int
    package var zone: TimeZone

    package init(every grain: ReportingPeriod.Grain, at hour: Int, in zone: TimeZone) {
        self.grain = grain
        self.hour = hour
        self.zone = zone
    }

    /// The time from which the report of a period is due. If the clock skips that hour on that day, the time at which it goes on.
    package func due(_ period: ReportingPeriod) -> Date {
        let day = period.next.first
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let start = day.start(in: zone)
        return calendar.date(bySettingHour: hour, minute: 0, second: 0, of: start, matchingPolicy: .nextTime) ?? start
    }

    /// The period that is the first to be reported by who begins now: the one that runs.
    package func first(at now: Date) -> ReportingPeriod {
        ReportingPeriod(grain, containing: BusinessDay(now, in: zone))
    }

    /// The last period that is over.
    package func last(at now: Date) -> ReportingPeriod { first(at: now).previous }
}

extension ReportingPeriod {
    /// As files are named: "2026-11-21", "2026-W47", "2026-11".
    package var fileName: String {
        switch grain {
        case .day: return first.description
        case .week:
            let (year, week) = first.isoWeek
            return "\(BusinessDay.pad(year, to: 4))-W\(BusinessDay.pad(week, to: 2))"
        case .month: return String(first.description.prefix(7))
        }
    }
}
