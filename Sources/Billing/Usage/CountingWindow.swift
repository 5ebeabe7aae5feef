package import Foundation

/// The time after which a count begins anew: in the app's business time zone (readmigo, "重置逻辑"). Raw values are kept in answers.
package enum CountingWindow: String, Hashable, Sendable, Codable, CaseIterable {
    case day
    case month
    /// Never begins anew.
    case lifetime

    /// When the window after the one with `day` begins; nil for a lifetime.
    package func end(with day: BusinessDay, in zone: TimeZone) -> Date? {
        switch self {
        case .day: day.end(in: zone)
        case .month: ReportingPeriod(.month, containing: day).next.first.start(in: zone)
        case .lifetime: nil
        }
    }
}

/// How much of a feature a plan gives, by window; nil for as much as one likes.
package struct UsageLimits: Hashable, Sendable {
    package var day: Int64?
    package var month: Int64?
    package var lifetime: Int64?

    package static let unlimited = UsageLimits(day: nil, month: nil, lifetime: nil)

    package init(day: Int64?, month: Int64?, lifetime: Int64?) {
        (self.day, self.month, self.lifetime) = (day, month, lifetime)
    }

    package subscript(window: CountingWindow) -> Int64? {
        switch window {
        case .day: day
        case .month: month
        case .lifetime: lifetime
        }
    }
}
