package import Foundation

/// What befalls the whole business at once: without it every month is like the one before, but for growth and season.
package struct SimulatedTurns: Hashable, Sendable {
    /// New customers pay more from then on; subscribers keep their price, as Apple lets a developer choose.
    package var pricesRiseAt: Date
    /// In percent of the price before.
    package var percentOfPrice: Int64
    /// The store cannot charge: nobody buys, and most renewals fail until later.
    package var outage: DateInterval

    /// Dearer by a fifth in the last third, and a day and a half without charges some months before the end.
    package static func usual(from start: Date, to end: Date) -> SimulatedTurns {
        let length = end.timeIntervalSince(start)
        return SimulatedTurns(
            pricesRiseAt: start.addingTimeInterval((length * 0.65).rounded()),
            percentOfPrice: 120,
            outage: DateInterval(start: start.addingTimeInterval((length * 0.83).rounded()), duration: 1.5 * day)
        )
    }

    /// In percent of the list price, for a purchase at that time.
    func pricePercent(at date: Date) -> Int64 { date < pricesRiseAt ? 100 : percentOfPrice }
}
