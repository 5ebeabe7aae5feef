import Billing
import Foundation

/// Alipay's wall clock: Shanghai's, UTC+8 all year round, `2026-11-21 18:40:00`.
enum AlipayTime {
    /// In which a bill's day begins and ends.
    static let zone = TimeZone(secondsFromGMT: 28_800) ?? .gmt

    static func text(_ date: Date) -> String {
        date.addingTimeInterval(28_800)
            .formatted(
                .iso8601.year().month().day().dateSeparator(.dash).dateTimeSeparator(.space)
                    .time(includingFractionalSeconds: false).timeSeparator(.colon)
            )
    }

    /// - Returns: nil for what is written otherwise, and for days and times that there are not. A fraction of a second is left out.
    static func date(_ text: String?) -> Date? {
        let format = /([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{1,9})?/
        guard let match = text?.wholeMatch(of: format), let day = BusinessDay(match.1),
            let hour = Int(match.2), let minute = Int(match.3), let second = Int(match.4),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return day.start(in: zone).addingTimeInterval(Double(hour * 3_600 + minute * 60 + second))
    }
}
