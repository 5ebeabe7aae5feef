package import Foundation

/// The store's plan for the end of the period, as of the signing of the message.
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
    /// True if it renews when the whole commitment is over; nil outside of one.
    package var commitmentRenews: Bool?
    /// The offer under which the next period will be sold.
    package var offer: RenewalOffer?
    /// The win-back offers that the customer may have, the best first; nil for none.
    package var winBackOfferIDs: [String]?
    /// True where there is no room for price, date and offers of the next renewal (old receipts), or where they come beside a renewal info:
    /// it says nothing about them.
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

/// The reason that a subscription ended (Apple `expirationIntent` 1 to 5).
package enum ExpirationReason: String, Sendable, Codable, CaseIterable {
    case cancelled
    case billingError
    case priceIncreaseRefused
    case productUnavailable
    case other
}
