package import Foundation

/// A row in which a store's bill and our books differ.
package struct BillDifference: Hashable, Sendable {
    /// The database keeps the raw values, and URLs and the API show them.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The bill has a payment that the books do not have.
        case paidThere = "paid_there"
        /// The books have a payment that no bill has.
        case paidHere = "paid_here"
        /// Both have the payment, of different amounts.
        case paymentAmount = "payment_amount"
        /// The bill has a refund that nobody requested here.
        case refundedThere = "refunded_there"
        /// The books have a refund that no bill has.
        case refundedHere = "refunded_here"
        /// Both have the refund, of different amounts.
        case refundAmount = "refund_amount"
    }

    package var kind: Kind
    /// Names what differs within its kind: found again, it is the same difference.
    package var key: String
    /// The number of the order at the store; nil where the books do not know it.
    package var orderNumber: String?
    /// The store's number of the payment.
    package var transactionID: String
    package var refundNumber: String?
    /// The row of the books' order; nil where there is none.
    package var order: UUID?
    /// nil where the bill does not have it.
    package var billed: Money?
    /// nil where the books do not have it.
    package var booked: Money?
    /// The time of the payment or refund, by the bill where that has it.
    package var at: Date

    package init(
        _ kind: Kind,
        key: String,
        orderNumber: String?,
        transactionID: String,
        refundNumber: String? = nil,
        order: UUID? = nil,
        billed: Money? = nil,
        booked: Money? = nil,
        at: Date
    ) {
        (self.kind, self.key, self.orderNumber, self.transactionID) = (kind, key, orderNumber, transactionID)
        (self.refundNumber, self.order, self.billed, self.booked) = (refundNumber, order, billed, booked)
        self.at = at
    }
}
