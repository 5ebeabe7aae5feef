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
    package var rows: [Row]
    /// Lines that could not be read, each with its number and the reason; the others count all the same.
    package var unreadable: [String]
    /// False where the file broke off: rows may be missing at its end.
    package var isWhole: Bool

    package init(rows: [Row], unreadable: [String] = [], isWhole: Bool) {
        (self.rows, self.unreadable, self.isWhole) = (rows, unreadable, isWhole)
    }

    package struct Row: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
            case payment
            case refund
        }

        package var kind: Kind
        /// Our number of the order.
        package var orderNumber: String
        package var transactionID: String
        /// Our number of the refund; nil of a payment.
        package var refundNumber: String?
        /// Never negative, also of a refund.
        package var amount: Money
        /// The store's share of it; negative where it is given back. nil where the bill does not say.
        package var fee: Money?
        package var at: Date

        package init(
            _ kind: Kind,
            orderNumber: String,
            transactionID: String,
            refundNumber: String? = nil,
            amount: Money,
            fee: Money? = nil,
            at: Date
        ) {
            (self.kind, self.orderNumber, self.transactionID) = (kind, orderNumber, transactionID)
            (self.refundNumber, self.amount, self.fee, self.at) = (refundNumber, amount, fee, at)
        }
    }
}
