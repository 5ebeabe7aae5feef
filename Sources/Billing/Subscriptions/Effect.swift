package import Foundation

/// A transition's request to the ledger, which decides if money moves and how much: it knows the charge.
package enum Effect: Hashable, Sendable {
    /// Opens an order, unless the transaction has one.
    case charged(Charge)
    /// Refunds the transaction's order.
    case refunded(Refund)
    /// Reverses all refunds of the transaction's order.
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
        /// The start of the paid period, where it is another moment than the purchase.
        package var periodStartsAt: Date?
    }

    package struct Refund: Hashable, Sendable {
        package var transactionID: String
        package var revocation: StoreTransaction.Revocation
        /// The seats that it takes, where it leaves others; their amount is an estimate where the store names no share.
        package var seats: RevokedSeats?
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
    /// nil when the event's transaction moves no money of this customer: somebody else pays.
    init?(_ event: StoreEvent, as kind: LedgerEntry.Kind) {
        let transaction = event.transaction
        guard !transaction.isShared else { return nil }
        self.init(
            transactionID: transaction.id,
            // More seats are more of what is had.
            kind: transaction.additionTo == nil ? kind : .upgrade,
            productID: transaction.productID,
            amount: transaction.price,
            purchasedAt: transaction.purchasedAt,
            periodEndsAt: transaction.expiresAt,
            storefront: transaction.storefront,
            quantity: transaction.quantity,
            offer: transaction.offer,
            customerToken: transaction.customerToken,
            periodStartsAt: transaction.startsAt
        )
    }
}

extension Effect.Refund {
    /// nil for what somebody else pays for: its end gives no money back.
    init?(_ event: StoreEvent, inPassing isInPassing: Bool = false) {
        guard !event.transaction.isShared else { return nil }
        self.init(
            transactionID: event.transaction.id,
            revocation: event.transaction.revocation ?? StoreTransaction.Revocation(at: event.signedAt),
            currency: event.transaction.price?.currency,
            isInPassing: isInPassing
        )
    }
}

extension Effect.Refund {
    /// Of seats, by the state of the transaction that was signed last; nil where nothing was ever given back of it so.
    init?(ofSeatsIn event: StoreEvent) {
        let transaction = event.transaction
        guard !transaction.isShared, transaction.revocation == nil, event.kind != .informational,
            let seats = transaction.seats, let refundedAt = seats.refundedAt
        else { return nil }
        self.init(
            transactionID: transaction.id,
            revocation: StoreTransaction.Revocation(at: refundedAt, milliPercent: seats.milliPercent),
            seats: RevokedSeats(revoked: seats.revoked ?? 0, of: max(1, transaction.quantity)),
            currency: transaction.price?.currency,
            isInPassing: event.kind != .seatsRefunded
        )
    }

    /// The amount of a charge that is given back so far. Nobody says which seats are refunded: without a share they cost the average.
    func target(of charge: Money) throws(MoneyError) -> Money {
        guard let seats, revocation.milliPercent == nil else { return try revocation.refund(of: charge) }
        return try charge.multiplied(by: Int64(seats.revoked), over: Int64(seats.total))
    }
}

extension Effect.Reversal {
    init(_ event: StoreEvent, inPassing isInPassing: Bool = false) {
        self.init(transactionID: event.transaction.id, at: event.signedAt, isInPassing: isInPassing)
    }
}
