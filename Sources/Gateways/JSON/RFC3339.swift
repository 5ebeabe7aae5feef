import Foundation

/// Moments of RFC 3339, as Google writes them: `2026-01-02T03:04:05.123456Z`, also with an offset.
enum RFC3339 {
    /// - Returns: nil for what is none; what is finer than a millisecond is cut off.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 40,
            let match = text.wholeMatch(
                of: /(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)/
            ),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
            let minute = Int(match.5), let second = Int(match.6), (1...9_999).contains(year),
            (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second),
            let offset = offset(match.8)
        else { return nil }
        let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard parts.isValidDate(in: calendar) || second == 60, let whole = calendar.date(from: parts) else {
            return nil
        }
        let fraction = (match.7 ?? "").prefix(3)
        let milliseconds = Double(String(fraction) + String(repeating: "0", count: 3 - fraction.count)) ?? 0
        return whole.addingTimeInterval(milliseconds / 1_000 - offset)
    }

    /// In seconds.
    private static func offset(_ text: Substring) -> TimeInterval? {
        guard text != "Z", text != "z" else { return 0 }
        let parts = text.dropFirst().split(separator: ":").compactMap { Double($0) }
        guard parts.count == 2, let hours = parts.first, let minutes = parts.last, hours < 24, minutes < 60 else {
            return nil
        }
        return (hours * 3_600 + minutes * 60) * (text.hasPrefix("-") ? -1 : 1)
    }
}
