package import Foundation

/// The number of wrong codes allowed within an hour, which begins with the first.
package struct PromoThrottle: Sendable, Hashable {
    package var limit: Int

    package static let customer = PromoThrottle(limit: 10)
    /// Per app: a school behind one address makes more mistakes than one person.
    package static let address = PromoThrottle(limit: 30)
    /// Seconds.
    package static let window: TimeInterval = 3_600

    package init(limit: Int) {
        self.limit = limit
    }

    /// The time until which no code is tried; nil if one may be.
    ///
    /// - Parameters:
    ///   - tries: the number of wrong codes.
    ///   - start: the time from which they are counted.
    package func lockout(after tries: Int, since start: Date, at now: Date) -> Date? {
        let end = start.addingTimeInterval(Self.window)
        return tries >= limit && end > now ? end : nil
    }
}
