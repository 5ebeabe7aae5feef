import Billing
package import Foundation
package import HTTP
package import Words

/// A moment in words, in the app's zone, with what the `<time>` element needs.
package struct DateText: Sendable, Hashable {
    /// "2026-11-21T10:37:05+08:00"
    let iso: String
    /// "2026-11-21 02:37:05 UTC", shown on hover.
    let utc: String
    /// "21 Nov 2026", "2026年11月21日", "21 Kas 2026"
    let day: String
    /// "10:37"
    let clock: String

    /// - Parameter showsSeconds: gives `clock` seconds: "10:37:05".
    package init(_ date: Date, in zone: BusinessZone, _ strings: Strings, showsSeconds: Bool = false) {
        let moment = date.wholeSeconds
        let offset = zone.offset(at: moment)
        let local = CivilTime(local: moment + offset)
        iso = local.isoText(offset: offset)
        utc = CivilTime(local: moment).utcText
        day = local.dayText(strings)
        clock = showsSeconds ? local.clockTextWithSeconds : local.clockText
    }

    /// "21 Nov 2026 10:37 UTC+8"
    static func full(_ date: Date, in zone: BusinessZone, _ strings: Strings) -> String {
        let moment = date.wholeSeconds
        let offset = zone.offset(at: moment)
        let local = CivilTime(local: moment + offset)
        return "\(local.dayText(strings)) \(local.clockText) \(BusinessZone.label(ofOffset: offset))"
    }

    /// "UTC+8", as it was then.
    static func zone(of date: Date, in zone: BusinessZone) -> String {
        BusinessZone.label(ofOffset: zone.offset(at: date.wholeSeconds))
    }

    /// "21 Nov 2026"
    static func day(_ date: Date, in zone: BusinessZone, _ strings: Strings) -> String {
        let moment = date.wholeSeconds
        return CivilTime(local: moment + zone.offset(at: moment)).dayText(strings)
    }

    /// Returns a duration in words.
    static func duration(from start: Date, to end: Date, _ strings: Strings) -> String {
        Phrase.duration(end.timeIntervalSince(start), strings)
    }
}
