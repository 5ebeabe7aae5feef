import Billing
package import Foundation
import Synchronization

/// An app's time zone as a table of offsets; a page formats dates without asking the system each time.
package struct BusinessZone: Sendable, Hashable {
    /// IANA name.
    package let name: String
    /// From when on each offset (seconds east of UTC) holds, in seconds since 1970; the first holds before, too.
    private let changes: [Change]

    private struct Change: Sendable, Hashable {
        let from: Int
        let offset: Int
    }

    package init(_ zone: TimeZone) {
        name = zone.identifier
        changes = BusinessZone.changes(of: zone)
    }

    /// The zone of this name, made once per process; UTC when there is none.
    package static func named(_ name: String) -> BusinessZone {
        known.withLock { known in
            if let zone = known[name] { return zone }
            let zone = BusinessZone(TimeZone(identifier: name) ?? .gmt)
            if known.count < 1_000 { known[name] = zone }
            return zone
        }
    }

    /// Seconds east of UTC at a moment in seconds since 1970.
    package func offset(at moment: Int) -> Int {
        var index = changes.count - 1
        while index > 0, changes[index].from > moment { index -= 1 }
        return changes[index].offset
    }

    /// Returns the zone's day at a moment, counted from 1 January 1970.
    package func day(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970
        let local = seconds + Double(offset(at: Int(bounding: seconds.rounded(.down))))
        return Int(bounding: (local / 86_400).rounded(.down))
    }

    /// "UTC+8" where the clock is never changed (since 2018), else the zone's name: "Europe/Berlin".
    package var label: String {
        guard let last = changes.last, last.from < Self.clockChangesThatCount else { return name }
        return BusinessZone.label(ofOffset: last.offset)
    }

    /// "UTC+8", "UTC+5:30", "UTC".
    package static func label(ofOffset offset: Int) -> String {
        guard offset != 0 else { return "UTC" }
        let (hours, minutes) = (offset.magnitude / 3600, offset.magnitude / 60 % 60)
        let sign = offset < 0 ? "−" : "+"
        return minutes == 0 ? "UTC\(sign)\(hours)" : "UTC\(sign)\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    private static let known = Mutex<[String: BusinessZone]>([:])
    private static let clockChangesThatCount = 1_514_764_800

    /// Looks at each week from 1990 to 2061 and finds the moment of a change by halving; no zone changes and changes back
    /// within a week.
    private static func changes(of zone: TimeZone) -> [Change] {
        func offset(_ moment: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(moment)))
        }
        let (first, week, weeks) = (631_152_000, 604_800, 3_700)
        var changes = [Change(from: first, offset: offset(first))]
        for number in 1...weeks {
            let end = first + number * week
            let later = offset(end)
            guard changes.last?.offset != later else { continue }
            var (low, high) = (end - week, end)
            while high - low > 1 {
                let middle = (low + high) / 2
                if offset(middle) == later { high = middle } else { low = middle }
            }
            changes.append(Change(from: high, offset: later))
        }
        return changes
    }
}
