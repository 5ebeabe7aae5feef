package import Foundation

/// What a transition asks the books to do. Whether money then moves, and how much, the books decide: they know the charge.
package enum Effect: Hashable, Sendable {
    /// Opens an order, unless the transaction has one.
    case charged(Charge)
    /// Takes back from the transaction's order.
    case refunded(Refund)
    /// Returns to the transaction's order all that was taken back.
    case refundReversed(Reversal)

    package struct Charge: Hashable, Sendable {
        package var transactionID: String
        package var kind: LedgerEntry.Kind
        package var productID: String
        /// nil where the store has not named it yet.
        package var amount: Money?
        /// The store's time of the charge, where the paid period starts.
        package var purchasedAt: Date
        package var periodEndsAt: Date?
        package var storefront: String?
        package var quantity: Int
        package var offer: StoreTransaction.Offer?
        /// The account token that the purchase carries.
        package var customerToken: UUID?
    }

    package struct Refund: Hashable, Sendable {
        package var transactionID: String
        package var revocation: StoreTransaction.Revocation
        /// The currency the store named; nil where it named none.
        package var currency: Currency?
        /// A message about something else said so: that it is known already is nothing to warn of.
        package var isInPassing = false
    }

    package struct Reversal: Hashable, Sendable {
        package var transactionID: String
        package var at: Date
        /// A message about something else said so.
        package var isInPassing = false
    }
}

extension Effect.Charge {
    /// nil when the event's transaction moves no money of this customer: it is shared by family.
    init?(_ event: StoreEvent, as kind: LedgerEntry.Kind) {
        let transaction = event.transaction
        guard !transaction.isFamilyShared else { return nil }
        self.init(
            transactionID: transaction.id,
            kind: kind,
            productID: transaction.productID,
            amount: transaction.price,
            purchasedAt: transaction.purchasedAt,
            periodEndsAt: transaction.expiresAt,
            storefront: transaction.storefront,
            quantity: transaction.quantity,
            offer: transaction.offer,
            customerToken: transaction.customerToken
        )
    }
}

extension Effect.Refund {
    /// nil for a purchase shared by family: its end gives no money back.
    init?(_ event: StoreEvent, inPassing isInPassing: Bool = false) {
        guard !event.transaction.isFamilyShared else { return nil }
        self.init(
            transactionID: event.transaction.id,
            revocation: event.transaction.revocation ?? StoreTransaction.Revocation(at: event.signedAt),
            currency: event.transaction.price?.currency,
            isInPassing: isInPassing
        )
    }
}

extension Effect.Reversal {
    init(_ event: StoreEvent, inPassing isInPassing: Bool = false) {
        self.init(transactionID: event.transaction.id, at: event.signedAt, isInPassing: isInPassing)
    }
}
