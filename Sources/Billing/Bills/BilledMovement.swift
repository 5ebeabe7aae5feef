package import Foundation

/// A payment or refund by a store's bill.
package struct BilledMovement: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case payment
        case refund
    }

    package var kind: Kind
    /// Our number of the order.
    package var orderNumber: String
    /// The store's number of the payment, also of a refund's.
    package var transactionID: String
    /// Our number of the refund; nil of a payment, and where the bill has none.
    package var refundNumber: String?
    /// Never negative.
    package var amount: Money
    /// The store's share; negative where it is given back, and nil where the bill does not say.
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

/// A payment by the books.
package struct BookedPayment: Hashable, Sendable {
    package var order: UUID
    package var orderNumber: String?
    package var transactionID: String
    package var amount: Money
    package var at: Date
    /// A bill has it, of whatever day: stores and we may see midnight on different sides.
    package var isBilled: Bool

    package init(
        order: UUID,
        orderNumber: String?,
        transactionID: String,
        amount: Money,
        at: Date,
        isBilled: Bool
    ) {
        (self.order, self.orderNumber, self.transactionID) = (order, orderNumber, transactionID)
        (self.amount, self.at, self.isBilled) = (amount, at, isBilled)
    }
}

/// A refund by the books.
package struct BookedRefund: Hashable, Sendable {
    /// The row of the ledger.
    package var entry: UUID
    package var order: UUID
    package var orderNumber: String?
    /// The store's number of the payment.
    package var transactionID: String
    package var amount: Money
    package var at: Date

    package init(
        entry: UUID,
        order: UUID,
        orderNumber: String?,
        transactionID: String,
        amount: Money,
        at: Date
    ) {
        (self.entry, self.order, self.orderNumber) = (entry, order, orderNumber)
        (self.transactionID, self.amount, self.at) = (transactionID, amount, at)
    }
}

/// A refund that was approved here, whether the store has paid it yet or not.
package struct RequestedRefund: Hashable, Sendable {
    package var number: String
    /// The store's number of the payment.
    package var transactionID: String

    package init(number: String, transactionID: String) {
        (self.number, self.transactionID) = (number, transactionID)
    }
}
