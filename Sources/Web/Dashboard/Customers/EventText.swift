import Billing

/// What a store said, in words.
enum EventText {
    static func title(of kind: StoreEvent.Kind, _ words: Words) -> StaticString {
        switch kind {
        case .subscribed: words.timelineSubscribed
        case .resubscribed: words.timelineResubscribed
        case .renewed: words.timelineRenewed
        case .recovered: words.timelineRecovered
        case .upgraded: words.timelineUpgraded
        case .downgradeScheduled: words.timelineDowngradeScheduled
        case .planChangeCancelled: words.timelineChangeCancelled
        case .autoRenewEnabled: words.timelineRenewalOn
        case .autoRenewDisabled: words.timelineRenewalOff
        case .offerRedeemed: words.timelineOfferRedeemed
        case .gracePeriodEntered: words.timelineGrace
        case .billingRetryEntered: words.timelineRetry
        case .gracePeriodExpired: words.timelineGraceOver
        case .expired: words.timelineExpired
        case .priceIncreasePending: words.timelinePricePending
        case .priceIncreaseAccepted: words.timelinePriceAccepted
        case .refunded: words.timelineRefunded
        case .refundDeclined: words.timelineRefundDeclined
        case .refundReversed: words.timelineRefundReversed
        case .refundRequested: words.timelineRefundRequested
        case .revoked: words.timelineSharingEnded
        case .renewalExtended: words.timelineExtended
        case .renewalExtensionFailed: words.timelineExtensionFailed
        case .purchasedOnce: words.timelineBoughtOnce
        case .paused: words.timelinePaused
        case .resumed: words.timelineResumed
        case .noted: words.timelineNoted
        }
    }

    /// Whether somebody may have to look at it.
    static func isBad(_ kind: StoreEvent.Kind) -> Bool {
        switch kind {
        case .gracePeriodEntered, .billingRetryEntered, .gracePeriodExpired, .expired, .refunded, .refundRequested,
            .revoked, .renewalExtensionFailed:
            true
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .downgradeScheduled, .planChangeCancelled,
            .autoRenewEnabled, .autoRenewDisabled, .offerRedeemed, .priceIncreasePending, .priceIncreaseAccepted,
            .refundDeclined, .refundReversed, .renewalExtended, .purchasedOnce, .paused, .resumed, .noted:
            false
        }
    }
}
