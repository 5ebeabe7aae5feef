import Billing
import Foundation
import Synchronization

/// On which business day apps count now, and when its windows end: worked out once a day, as a calendar takes longer than the rest.
final class UsageCalendar: Sendable {
    private struct Day {
        var ends: UsageWindowEnds
        /// When it was worked out.
        var start: Date
        var end: Date
    }

    private let days = Mutex<[App.ID: Day]>([:])

    /// The windows of a moment.
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
