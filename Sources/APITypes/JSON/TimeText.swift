import CivilCalendar
public import Foundation

/// A moment in RFC 3339, UTC, with milliseconds where there are any: `2026-11-21T02:40:00Z`.
public enum TimeText {
    public static func rfc3339(_ date: Date) -> String {
        var bytes: [UInt8] = []
        append(date, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter showsMilliseconds: also where there are none.
    static func append(_ date: Date, showsMilliseconds: Bool = false, to bytes: inout [UInt8]) {
        let exact = (date.timeIntervalSince1970 * 1_000).rounded()
        // A date beyond every calendar becomes the last one, or the first.
        let milliseconds = Int(exactly: exact) ?? (exact < 0 ? .min : .max)
        let (days, inDay) = milliseconds.flooredQuotientAndRemainder(by: 86_400_000)
        let day = CivilDate(daysSince1970: days)
        let seconds = inDay / 1_000
        append(day.year, 4, "-", to: &bytes)
        append(day.month, 2, "-", to: &bytes)
        append(day.day, 2, "T", to: &bytes)
        append(seconds / 3_600, 2, ":", to: &bytes)
        append(seconds / 60 % 60, 2, ":", to: &bytes)
        guard showsMilliseconds || inDay % 1_000 != 0 else { return append(seconds % 60, 2, "Z", to: &bytes) }
        append(seconds % 60, 2, ".", to: &bytes)
        append(inDay % 1_000, 3, "Z", to: &bytes)
    }

    /// nil for what is no moment in RFC 3339, or of a day that does not exist.
    public static func date(rfc3339 text: String) -> Date? {
        CivilMoment(rfc3339: text).map {
            Date(timeIntervalSince1970: Double($0.seconds) + Double($0.milliseconds) / 1_000)
        }
    }

    /// At least `width` digits, and the character that follows them.
    private static func append(_ number: Int, _ width: Int, _ next: Unicode.Scalar, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var place: UInt = 1
        for _ in 1..<width { place *= 10 }
        while magnitude / place >= 10 { place *= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / place % 10))
            place /= 10
        }
        bytes.append(UInt8(ascii: next))
    }
}
