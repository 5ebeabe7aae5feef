package import Foundation

extension UsageWindow {
    /// When the window after the one with `day` begins, in the app's business time zone (readmigo, "重置逻辑"); nil for a lifetime.
    package func end(with day: BusinessDay, in zone: TimeZone) -> Date? {
        switch self {
        case .day: day.end(in: zone)
        case .month: ReportingPeriod(.month, containing: day).next.first.start(in: zone)
        case .lifetime: nil
        }
    }
}
