import Billing
import HTTP
import Words

/// A store's events in words.
enum EventText {
    /// Where it came from; nil for a store's notification, which its row links to.
    static func source(of source: EventSource, _ strings: Strings) -> StaticString? {
        switch source {
        case .notification: nil
        case .verification: strings.subscriptionsSourceVerification
        case .reconciliation: strings.subscriptionsSourceReconciliation
        case .checkout: strings.subscriptionsSourceCheckout
        case .staff: strings.subscriptionsSourceStaff
        case .clock: strings.subscriptionsSourceClock
        }
    }

    static func title(of kind: StoreEvent.Kind, _ strings: Strings) -> StaticString {
        switch kind {
        case .subscribed: strings.timelineSubscribed
        case .resubscribed: strings.timelineResubscribed
        case .renewed: strings.timelineRenewed
        case .recovered: strings.timelineRecovered
        case .upgraded: strings.timelineUpgraded
        case .downgradeScheduled: strings.timelineDowngradeScheduled
        case .planChangeCancelled: strings.timelineChangeCancelled
        case .autoRenewEnabled: strings.timelineRenewalOn
        case .autoRenewDisabled: strings.timelineRenewalOff
        case .offerRedeemed: strings.timelineOfferRedeemed
        case .seatsChanged: strings.timelineSeatsChanged
        case .gracePeriodEntered: strings.timelineGrace
        case .billingRetryEntered: strings.timelineRetry
        case .gracePeriodExpired: strings.timelineGraceOver
        case .expired: strings.timelineExpired
        case .priceIncreasePending: strings.timelinePricePending
        case .priceIncreaseAccepted: strings.timelinePriceAccepted
        case .refunded: strings.timelineRefunded
        case .seatsRefunded: strings.timelineSeatsRefunded
        case .refundDeclined: strings.timelineRefundDeclined
        case .refundReversed: strings.timelineRefundReversed
        case .refundRequested: strings.timelineRefundRequested
        case .revoked: strings.timelineSharingEnded
        case .renewalExtended: strings.timelineExtended
        case .renewalExtensionFailed: strings.timelineExtensionFailed
        case .periodMoved: strings.timelinePeriodMoved
        case .purchasedOnce: strings.timelineBoughtOnce
        case .paused: strings.timelinePaused
        case .resumed: strings.timelineResumed
        case .observed: strings.timelineObserved
        case .informational: strings.timelineNoted
        }
    }

    /// Returns true if somebody may have to look at it.
    static func isBad(_ kind: StoreEvent.Kind) -> Bool {
        switch kind {
        case .gracePeriodEntered, .billingRetryEntered, .gracePeriodExpired, .expired, .refunded, .seatsRefunded,
            .refundRequested,
            .revoked, .renewalExtensionFailed:
            true
        case .subscribed, .resubscribed, .renewed, .recovered, .upgraded, .downgradeScheduled, .planChangeCancelled,
            .autoRenewEnabled, .autoRenewDisabled, .offerRedeemed, .seatsChanged, .priceIncreasePending,
            .priceIncreaseAccepted,
            .refundDeclined, .refundReversed, .renewalExtended, .purchasedOnce, .paused, .resumed, .observed,
            .informational, .periodMoved:
            false
        }
    }
}
