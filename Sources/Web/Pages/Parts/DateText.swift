package import Foundation

/// A moment in words, in the app's zone, with what the `<time>` element needs.
package struct DateText: Sendable, Hashable {
    /// "2026-11-21T10:37:05+08:00"
    let iso: String
    /// "2026-11-21 02:37:05 UTC", shown on hover.
    let utc: String
    /// "21 Nov 2026"
    let day: String
    /// "10:37"
    let clock: String

    /// - Parameter showsSeconds: gives `clock` seconds: "10:37:05".
    package init(_ date: Date, in zone: BusinessZone, showsSeconds: Bool = false) {
        let moment = Int(date.timeIntervalSince1970.rounded(.down))
        let offset = zone.offset(at: moment)
        let local = CivilTime(local: moment + offset)
        iso = local.isoText(offset: offset)
        utc = CivilTime(local: moment).utcText
        day = local.dayText
        clock = showsSeconds ? local.clockTextWithSeconds : local.clockText
    }

    /// "21 Nov 2026 10:37 UTC+8"
    static func full(_ date: Date, in zone: BusinessZone) -> String {
        let moment = Int(date.timeIntervalSince1970.rounded(.down))
        let offset = zone.offset(at: moment)
        let local = CivilTime(local: moment + offset)
        return "\(local.dayText) \(local.clockText) \(BusinessZone.label(ofOffset: offset))"
    }

    /// "UTC+8", as it was then.
    static func zone(of date: Date, in zone: BusinessZone) -> String {
        BusinessZone.label(ofOffset: zone.offset(at: Int(date.timeIntervalSince1970.rounded(.down))))
    }

    /// "21 Nov 2026"
    static func day(_ date: Date, in zone: BusinessZone) -> String {
        let moment = Int(date.timeIntervalSince1970.rounded(.down))
        return CivilTime(local: moment + zone.offset(at: moment)).dayText
    }

    /// How long something took: "14 ms", "3.2 s", "2 min 5 s", "3 h 2 min", "4 days".
    static func duration(from start: Date, to end: Date) -> String {
        let seconds = max(0, end.timeIntervalSince(start))
        let whole = Int(seconds)
        switch seconds {
        case ..<0.9995: return "\(Int((seconds * 1_000).rounded())) ms"
        case ..<10:
            let tenths = Int((seconds * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) s"
        case ..<60: return "\(whole) s"
        case ..<3_600: return "\(whole / 60) min \(whole % 60) s"
        case ..<86_400: return "\(whole / 3_600) h \(whole / 60 % 60) min"
        case _: return Phrase.days(whole / 86_400)
        }
    }
}
