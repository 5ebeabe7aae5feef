package import Foundation

/// What the store will do at the end of the period, as known when it signed the message.
package struct RenewalTerms: Hashable, Sendable, Codable {
    /// nil where the store does not say.
    package var renewsAutomatically: Bool?
    /// The product the next period will be of.
    package var nextProductID: String?
    package var renewsAt: Date?
    /// For all of it.
    package var renewalPrice: Money?
    /// The seats of the next period; nil for a product that is not sold by them, and where the store does not say.
    package var seats: Int?
    package var gracePeriodEndsAt: Date?
    package var isInBillingRetry: Bool
    package var expirationReason: ExpirationReason?
    package var priceIncreaseAccepted: Bool?
    /// Whether it renews when the whole commitment is over; nil outside of one.
    package var commitmentRenews: Bool?
    /// Under which offer the next period will be sold.
    package var offer: RenewalOffer?
    /// The win-back offers that the customer may have, the best first; nil for none.
    package var winBackOfferIDs: [String]?
    /// True of what has no place for price, date and offers of the next renewal (old receipts), or is told beside a renewal info: it says
    /// nothing of them.
    package var isPartial: Bool?

    package init(
        renewsAutomatically: Bool?,
        nextProductID: String? = nil,
        renewsAt: Date? = nil,
        renewalPrice: Money? = nil,
        seats: Int? = nil,
        gracePeriodEndsAt: Date? = nil,
        isInBillingRetry: Bool = false,
        expirationReason: ExpirationReason? = nil,
        priceIncreaseAccepted: Bool? = nil,
        commitmentRenews: Bool? = nil,
        offer: RenewalOffer? = nil,
        winBackOfferIDs: [String]? = nil,
        isPartial: Bool? = nil
    ) {
        self.renewsAutomatically = renewsAutomatically
        self.nextProductID = nextProductID
        self.renewsAt = renewsAt
        self.renewalPrice = renewalPrice
        self.seats = seats
        self.gracePeriodEndsAt = gracePeriodEndsAt
        self.isInBillingRetry = isInBillingRetry
        self.expirationReason = expirationReason
        self.priceIncreaseAccepted = priceIncreaseAccepted
        self.commitmentRenews = commitmentRenews
        self.offer = offer
        self.winBackOfferIDs = winBackOfferIDs
        self.isPartial = isPartial
    }
}

/// Why a subscription ended (Apple `expirationIntent` 1 to 5).
package enum ExpirationReason: String, Sendable, Codable, CaseIterable {
    case cancelled
    case billingError
    case priceIncreaseRefused
    case productUnavailable
    case other
}
