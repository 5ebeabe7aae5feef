import Billing
import Foundation

/// A moment in RFC 3339, UTC, with milliseconds where there are any: `2026-11-21T02:40:00Z`.
enum TimeText {
    static func rfc3339(_ date: Date) -> String {
        let milliseconds = Int64(bounding: (date.timeIntervalSince1970 * 1_000).rounded())
        let (day, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        let (year, month, dayOfMonth) = civil(daysSince1970: day)
        let seconds = inDay / 1_000
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
        text += "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
        if inDay % 1_000 != 0 { text += ".\(padded(inDay % 1_000, 3))" }
        return text + "Z"
    }

    /// nil for what is no moment in RFC 3339.
    static func date(rfc3339 text: String) -> Date? {
        for hasFractions in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFractions)
            if let date = try? Date(text, strategy: style) { return date }
        }
        return nil
    }

    /// Hinnant's civil_from_days.
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension Int64 {
    /// Rounds towards the past, also before 1970.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
