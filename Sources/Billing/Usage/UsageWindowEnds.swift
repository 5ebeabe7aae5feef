package import Foundation

/// The ends of the windows that contain one day, computed once for all features.
package struct UsageWindowEnds: Sendable {
    package let today: BusinessDay
    package let zone: TimeZone
    private let ofToday: [Date?]

    package init(on today: BusinessDay, in zone: TimeZone) {
        (self.today, self.zone) = (today, zone)
        ofToday = UsageWindow.allCases.map { $0.end(with: today, in: zone) }
    }

    /// The end of each window that contains `day`, in the order of the cases; nil for a lifetime.
    package func ends(with day: BusinessDay) -> [Date?] {
        day == today ? ofToday : UsageWindow.allCases.map { $0.end(with: day, in: zone) }
    }
}
