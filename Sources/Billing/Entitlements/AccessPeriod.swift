package import Foundation

/// A stretch of time in which one transaction of a subscription gave access, as the fold of its events knows it.
package struct AccessPeriod: Hashable, Sendable {
    /// The store's transaction that opened it. A pause, or a refund that was reversed, leaves two stretches of one transaction.
    package var transactionID: String
    /// The store's identifier.
    package var productID: String
    package var startsAt: Date
    /// Exclusive; nil: never.
    package var endsAt: Date?
    package var isTrial: Bool
    /// Somebody else pays: shared by family, or a seat that was assigned.
    package var isFamilyShared: Bool
    /// The price of its transactions; nil where the store does not say.
    package var price: Money?
    /// The storefront's country as the store gives it.
    package var storefront: String?
    /// The reason for an early end; nil if the period ran its course, or the next transaction followed.
    package var ending: Ending?
    /// The time of the full refund of its transaction; nil while there is none, also after a reversal.
    package var refundedAt: Date?
    /// The length that its transaction paid for, whatever happened later; nil for access without end, and where the length is not known.
    package var length: BillingPeriod?

    package init(
        transactionID: String,
        productID: String,
        startsAt: Date,
        endsAt: Date?,
        isTrial: Bool = false,
        isFamilyShared: Bool = false,
        price: Money?,
        storefront: String?,
        ending: Ending? = nil,
        refundedAt: Date? = nil,
        length: BillingPeriod? = nil
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.isTrial = isTrial
        self.isFamilyShared = isFamilyShared
        self.price = price
        self.storefront = storefront
        self.ending = ending
        self.refundedAt = refundedAt
        self.length = length
    }

    /// A reason for an early end. The database keeps the raw values.
    package enum Ending: String, Sendable, CaseIterable {
        case refunded
        /// No longer shared by family, or the seat was taken away.
        case revoked
        case paused
        /// The next charge failed; also when the end had come by then.
        case unpaid
    }

    package func covers(_ moment: Date) -> Bool {
        startsAt <= moment && endsAt.map { moment < $0 } ?? true
    }

    /// True if this customer paid for it.
    package var isPaid: Bool {
        !isTrial && !isFamilyShared && (price?.minorUnits ?? 0) > 0
    }
}

extension AccessPeriod {
    /// The period that a transaction opens.
    ///
    /// - Parameter recoveredAfter: the end of the period before, of one that was paid for late.
    init(_ transaction: StoreTransaction, recoveredAfter: Date? = nil) {
        self.init(
            transactionID: transaction.periodID,
            productID: transaction.productID,
            startsAt: transaction.periodStartsAt,
            endsAt: transaction.expiresAt,
            isTrial: transaction.offer?.isFreeTrial == true,
            isFamilyShared: transaction.isShared,
            price: transaction.periodPrice,
            storefront: transaction.storefront,
            length: Self.length(of: transaction, recoveredAfter: recoveredAfter)
        )
    }

    /// A transaction paid within a grace period ends as if it had been paid in time, so its own span is shorter than the paid period.
    private static func length(of transaction: StoreTransaction, recoveredAfter end: Date?) -> BillingPeriod? {
        guard let expiresAt = transaction.expiresAt else { return nil }
        let own = BillingPeriod(from: transaction.periodStartsAt, to: expiresAt)
        guard let end, own?.isOfMonths != true, let whole = BillingPeriod(from: end, to: expiresAt) else { return own }
        return whole.isOfMonths || own?.unit == .day && whole.unit == .week ? whole : own
    }

    /// The part before a moment; nil if there is none.
    func cut(at moment: Date) -> AccessPeriod? {
        guard startsAt < moment else { return nil }
        var rest = self
        rest.endsAt = min(endsAt ?? moment, moment)
        return rest.isEmpty ? nil : rest
    }

    var isEmpty: Bool { endsAt.map { $0 <= startsAt } ?? false }
}
