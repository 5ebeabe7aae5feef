package import Billing
package import Foundation

/// A store that makes a bill for each day.
package protocol BillSource: Sendable {
    /// The store's own time zone, in which its days begin and end.
    var billZone: TimeZone { get }
    /// The time after the end of a day at which the store makes its bill, in seconds.
    var billDelay: TimeInterval { get }

    /// The payments and refunds of one day in the store's own time zone.
    ///
    /// - Returns: nil before the store has made it. A day on which nothing happened is a bill without rows.
    func bill(of day: BusinessDay) async throws(StoreFailure) -> StoreBill?
}

/// A store's account of a day.
package struct StoreBill: Hashable, Sendable {
    package var rows: [BilledMovement]
    /// Lines that could not be read, each with its number and the reason; the others count all the same.
    package var unreadable: [String]
    /// False where the file broke off: rows may be missing at its end.
    package var isWhole: Bool

    package init(rows: [BilledMovement], unreadable: [String] = [], isWhole: Bool) {
        (self.rows, self.unreadable, self.isWhole) = (rows, unreadable, isWhole)
    }
}
