import Billing
import Foundation
import Synchronization

/// The apps' current business days and the ends of their windows: computed once a day, as a calendar takes longer than the rest.
final class UsageCalendar: Sendable {
    private struct Day {
        var ends: UsageWindowEnds
        /// The time at which it was computed.
        var start: Date
        var end: Date
    }

    private let days = Mutex<[App.ID: Day]>([:])

    /// The windows at a moment.
    func ends(for app: App.ID, in zone: TimeZone, at now: Date) -> UsageWindowEnds {
        let known = days.withLock { $0[app] }
        if let known, known.start <= now, now < known.end, known.ends.zone == zone { return known.ends }
        let ends = UsageWindowEnds(on: BusinessDay(now, in: zone), in: zone)
        if let end = UsageWindow.day.end(with: ends.today, in: zone) {
            days.withLock { $0[app] = Day(ends: ends, start: now, end: end) }
        }
        return ends
    }
}
