import CivilCalendar
public import Foundation

/// A moment in RFC 3339, UTC, with milliseconds where there are any: `2026-11-21T02:40:00Z`.
public enum TimeText {
    public static func rfc3339(_ date: Date) -> String {
        let exact = (date.timeIntervalSince1970 * 1_000).rounded()
        // What no calendar reaches stands at its end.
        let milliseconds = Int(exactly: exact) ?? (exact < 0 ? .min : .max)
        let (days, inDay) = milliseconds.flooredQuotientAndRemainder(by: 86_400_000)
        let day = CivilDate(daysSince1970: days)
        let seconds = inDay / 1_000
        var text = "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))T"
        text += "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if inDay % 1_000 != 0 { text += ".\(padded(inDay % 1_000, 3))" }
        return text + "Z"
    }

    /// nil for what is no moment in RFC 3339.
    public static func date(rfc3339 text: String) -> Date? {
        for hasFractions in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFractions)
            if let date = try? Date(text, strategy: style) { return date }
        }
        return nil
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
