package import Foundation

/// The time range of the service health page.
package enum HealthSpan: String, Hashable, Sendable, CaseIterable {
    /// The last 24 hours, by the hour.
    case day
    /// The last seven days.
    case week
    /// The last thirty days.
    case month

    package var isByHour: Bool { self == .day }

    private var length: Int {
        switch self {
        case .day: 24
        case .week: 7
        case .month: 30
        }
    }

    /// The beginnings of its hours or days; the last one is the one under way.
    ///
    /// - Parameter zone: the time zone of the days; hours are of UTC, in which they are counted.
    package func starts(until now: Date, in zone: TimeZone) -> [Date] {
        if isByHour {
            let hour = HealthCell.Key.hour(of: now)
            return (0..<length).reversed().map { hour.addingTimeInterval(-3_600 * Double($0)) }
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let today = calendar.startOfDay(for: now)
        return (0..<length).reversed().compactMap { calendar.date(byAdding: .day, value: -$0, to: today) }
    }
}

extension HealthCell.Key {
    /// The beginning of the hour of a moment.
    package static func hour(of moment: Date) -> Date {
        Date(timeIntervalSince1970: (moment.timeIntervalSince1970 / 3_600).rounded(.down) * 3_600)
    }
}
