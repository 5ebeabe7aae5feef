extension StoreEvent.Kind {
    /// True if the event may open an order (it does when it brings a new transaction with a price).
    package var charges: Bool { chargeKind(reason: nil) != nil }

    /// True if the event can only concern a renewing subscription.
    var isAboutRenewal: Bool {
        switch self {
        case .renewed, .recovered, .downgradeScheduled, .planChangeCancelled, .autoRenewEnabled, .autoRenewDisabled,
            .gracePeriodEntered, .billingRetryEntered, .gracePeriodExpired, .expired, .priceIncreasePending,
            .priceIncreaseAccepted, .renewalExtended, .renewalExtensionFailed, .paused, .resumed, .seatsChanged:
            true
        case .subscribed, .resubscribed, .upgraded, .offerRedeemed, .refunded, .seatsRefunded, .refundDeclined,
            .refundReversed,
            .refundRequested, .revoked, .purchasedOnce, .observed, .informational, .periodMoved:
            false
        }
    }

    /// The ledger's word for the charge; nil for kinds that never charge.
    func chargeKind(reason: StoreTransaction.Reason?) -> LedgerEntry.Kind? {
        switch self {
        case .subscribed, .resubscribed, .purchasedOnce: .initialPurchase
        case .renewed, .recovered: .renewal
        case .upgraded: .upgrade
        case .offerRedeemed, .observed, .seatsChanged: reason == .renewal ? .renewal : .initialPurchase
        case .downgradeScheduled, .planChangeCancelled, .autoRenewEnabled, .autoRenewDisabled, .gracePeriodEntered,
            .billingRetryEntered, .gracePeriodExpired, .expired, .priceIncreasePending, .priceIncreaseAccepted,
            .refunded, .seatsRefunded, .refundDeclined, .refundReversed, .refundRequested, .revoked, .renewalExtended,
            .renewalExtensionFailed, .paused, .resumed, .informational, .periodMoved:
            nil
        }
    }
}
