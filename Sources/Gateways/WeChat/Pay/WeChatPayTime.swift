import Billing
import Foundation

/// Moments as WeChat Pay writes them: Shanghai time, UTC+8 all year round.
enum WeChatPayTime {
    /// `2026-11-21T18:40:00+08:00`
    static func text(_ date: Date) -> String {
        date.addingTimeInterval(28_800)
            .formatted(
                .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.standard)
                    .time(includingFractionalSeconds: false).timeSeparator(.colon)
            ) + "+08:00"
    }

    /// A moment with its offset (RFC 3339).
    ///
    /// - Returns: nil for what is none, and for one that no store writes: before 1970, after 2999.
    static func date(_ text: String) -> Date? {
        guard let seconds = Date(rfc3339: text)?.timeIntervalSince1970, (0..<latest).contains(seconds) else {
            return nil
        }
        return Date(timeIntervalSince1970: seconds.rounded(.down))
    }

    /// A line's of a bill: `2026-11-21 18:40:00`.
    static func billDate(_ text: String) -> Date? {
        guard text.utf8.count == 19 else { return nil }
        return date("\(text.replacing(" ", with: "T"))+08:00")
    }

    static let zone = TimeZone(secondsFromGMT: 28_800) ?? .gmt
    /// 3000-01-01
    private static let latest: TimeInterval = 32_503_680_000
}
