package import Foundation

/// The days before an end on which it is announced, where nothing can renew by itself.
package enum ExpiryReminder {
    /// The longest first.
    package static let days = [7, 3, 1]

    /// The time before an end from which on it is announced at all, in seconds.
    package static var longest: TimeInterval { 7 * 86_400 }

    /// The reminder that is due at a moment: the nearest to the end, where a server was away for longer.
    ///
    /// - Parameter startsAt: the beginning of the period: one that is no longer than that is not announced as it is bought.
    /// - Returns: nil before the first, after the end, and for a period without an end.
    package static func due(endingAt endsAt: Date?, startingAt startsAt: Date?, at now: Date) -> Int? {
        guard let endsAt, now < endsAt else { return nil }
        let left = endsAt.timeIntervalSince(now)
        guard let days = days.last(where: { left <= Double($0) * 86_400 }) else { return nil }
        let length = startsAt.map { endsAt.timeIntervalSince($0) } ?? .infinity
        return length > Double(days) * 86_400 ? days : nil
    }
}
