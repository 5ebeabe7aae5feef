package import Foundation

/// Events that touch the whole business at once. Without them each month is like the last, but for growth and season.
package struct SimulatedTurns: Hashable, Sendable {
    /// The date from which new customers pay more; subscribers keep their price, as Apple lets a developer choose.
    package var pricesRiseAt: Date
    /// The new price in percent of the old one.
    package var percentOfPrice: Int64
    /// The time in which the store cannot charge: nobody buys, and most renewals fail at first.
    package var outage: DateInterval

    /// Raises prices by a fifth for the last third or so, and stops charges for a day and a half some months before the end.
    package static func usual(from start: Date, to end: Date) -> SimulatedTurns {
        let length = end.timeIntervalSince(start)
        return SimulatedTurns(
            pricesRiseAt: start.addingTimeInterval((length * 0.65).rounded()),
            percentOfPrice: 120,
            outage: DateInterval(start: start.addingTimeInterval((length * 0.83).rounded()), duration: 1.5 * day)
        )
    }

    /// Returns the price of a purchase at a date, in percent of the list price.
    func pricePercent(at date: Date) -> Int64 { date < pricesRiseAt ? 100 : percentOfPrice }
}
