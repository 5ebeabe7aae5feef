package import Foundation

/// The store's word about the next renewal beside its product and price, as the renewal info that was signed last has it. What a later
/// one leaves out is no longer so.
package struct NextRenewal: Hashable, Sendable {
    /// The time of the store's next charge.
    package var at: Date?
    package var offer: RenewalOffer?
    /// nil while no higher price was announced.
    package var priceConsent: PriceConsent?
    /// The win-back offers that the customer may have, the best first; also of what has ended.
    package var winBackOfferIDs: [String]

    package init(
        at date: Date? = nil,
        offer: RenewalOffer? = nil,
        priceConsent: PriceConsent? = nil,
        winBackOfferIDs: [String] = []
    ) {
        at = date
        self.offer = offer
        self.priceConsent = priceConsent
        self.winBackOfferIDs = winBackOfferIDs
    }
}

/// The customer's answer to a higher price (Apple `priceIncreaseStatus`). The database keeps the raw values.
package enum PriceConsent: String, Sendable, Codable, CaseIterable {
    /// Asked, and not answered: without an answer the subscription ends with its period.
    ///
    /// Moved by the customer. Can transition to: `accepted`.
    case pending
    /// Agreed, or informed where the store needs no agreement.
    ///
    /// Moved by the store, when it announces another price. Can transition to: `pending`.
    case accepted
}

extension Subscription {
    /// The next renewal; nil for a subscription that will not renew by what is known at a moment.
    package func nextRenewal(at now: Date) -> NextRenewal? {
        guard renewsAutomatically, endedAt == nil, periodEndsAt != nil else { return nil }
        switch state(at: now) {
        case .trial, .active, .gracePeriod, .billingRetry: return nextRenewal
        case .pending, .cancelled, .paused, .expired, .trialExpired, .revoked: return nil
        }
    }

    /// Takes over what a message says of the next renewal.
    mutating func followRenewal(_ event: StoreEvent, _ terms: RenewalTerms) {
        let told = terms.priceConsent ?? event.kind.priceConsent
        guard terms.isPartial != true else {
            nextRenewal.priceConsent = told ?? nextRenewal.priceConsent
            return
        }
        renewalPrice = terms.renewalPrice
        nextRenewal = NextRenewal(
            at: terms.renewsAt,
            offer: terms.offer,
            priceConsent: told,
            winBackOfferIDs: terms.winBackOfferIDs ?? []
        )
    }
}

extension RenewalTerms {
    fileprivate var priceConsent: PriceConsent? { priceIncreaseAccepted.map { $0 ? .accepted : .pending } }
}

extension StoreEvent.Kind {
    /// The customer's consent by the message's kind, where its renewal info does not tell.
    fileprivate var priceConsent: PriceConsent? {
        switch self {
        case .priceIncreasePending: .pending
        case .priceIncreaseAccepted: .accepted
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .downgradeScheduled, .planChangeCancelled,
            .autoRenewEnabled, .autoRenewDisabled, .offerRedeemed, .gracePeriodEntered, .billingRetryEntered,
            .gracePeriodExpired, .expired, .refunded, .refundDeclined, .refundReversed, .refundRequested, .revoked,
            .renewalExtended, .renewalExtensionFailed, .purchasedOnce, .paused, .resumed, .observed, .informational,
            .seatsChanged, .seatsRefunded, .periodMoved:
            nil
        }
    }
}
