/// A warning for staff about an event that was applied without (all) the money that its kind suggests.
package enum EventWarning: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is about a period that another one has followed; the subscription stayed as it was.
    case earlierPeriod
    /// The transaction already has its order.
    case alreadyCharged
    /// The store named no price: the order's amount is not known until it does.
    case chargeWithoutPrice
    /// Shared by family, or a seat that was assigned: somebody else pays.
    case familyShared
    /// The refunded charge is not known (yet); the refund is booked when the charge comes.
    case refundWithoutCharge
    /// This refund (the same transaction and revocation date) is booked already.
    case alreadyRefunded
    /// Seats were refunded, and neither how many nor which share of the charge.
    case seatRefundWithoutAmount
    /// Nothing is left of the charge, or it was free.
    case nothingToRefund
    /// No refund of the transaction stands.
    case nothingToReverse
    /// A refund that waited for its charge turned out to be in another currency, and was dropped.
    case waitingRefundDropped
}
