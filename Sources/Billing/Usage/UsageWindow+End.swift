package import Foundation

extension UsageWindow {
    /// The beginning of the window after the one that contains `day`, in the app's business time zone (readmigo, "重置逻辑"); nil for a
    /// lifetime.
    package func end(with day: BusinessDay, in zone: TimeZone) -> Date? {
        switch self {
        case .day: day.end(in: zone)
        case .month: ReportingPeriod(.month, containing: day).next.first.start(in: zone)
        case .lifetime: nil
        }
    }

    /// The last day of the window with `day`; `BusinessDay.never` for a lifetime.
    package func lastDay(with day: BusinessDay) -> BusinessDay {
        switch self {
        case .day: day
        case .month: ReportingPeriod(.month, containing: day).last
        case .lifetime: .never
        }
    }
}

extension BusinessDay {
    /// The last day of a window that never ends: 9999-12-31.
    package static let never = BusinessDay(number: 2_932_896)
}
