import Billing
import Testing

/// A row of the table in stores/apple.md, 1.3.
struct Pairing: Sendable, CustomTestStringConvertible {
    let type: String
    let subtype: String?
    /// The kind of event; nil for a notification that concerns no subscription.
    let kind: StoreEvent.Kind?

    init(_ type: String, _ subtype: String?, _ kind: StoreEvent.Kind?) {
        self.type = type
        self.subtype = subtype
        self.kind = kind
    }

    var testDescription: String { "\(type) \(subtype ?? "-")" }

    static let all = [
        Pairing("SUBSCRIBED", "INITIAL_BUY", .subscribed), Pairing("SUBSCRIBED", "RESUBSCRIBE", .resubscribed),
        Pairing("DID_RENEW", nil, .renewed), Pairing("DID_RENEW", "BILLING_RECOVERY", .recovered),
        Pairing("DID_CHANGE_RENEWAL_PREF", "UPGRADE", .upgraded),
        Pairing("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", .downgradeScheduled),
        Pairing("DID_CHANGE_RENEWAL_PREF", nil, .planChangeCancelled),
        Pairing("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", .autoRenewEnabled),
        Pairing("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", .autoRenewDisabled),
        Pairing("OFFER_REDEEMED", nil, .offerRedeemed), Pairing("OFFER_REDEEMED", "UPGRADE", .upgraded),
        Pairing("OFFER_REDEEMED", "DOWNGRADE", .downgradeScheduled),
        Pairing("DID_FAIL_TO_RENEW", "GRACE_PERIOD", .gracePeriodEntered),
        Pairing("DID_FAIL_TO_RENEW", nil, .billingRetryEntered),
        Pairing("GRACE_PERIOD_EXPIRED", nil, .gracePeriodExpired), Pairing("EXPIRED", "VOLUNTARY", .expired),
        Pairing("EXPIRED", "BILLING_RETRY", .expired), Pairing("EXPIRED", "PRICE_INCREASE", .expired),
        Pairing("EXPIRED", "PRODUCT_NOT_FOR_SALE", .expired), Pairing("EXPIRED", nil, .expired),
        Pairing("PRICE_INCREASE", "PENDING", .priceIncreasePending),
        Pairing("PRICE_INCREASE", "ACCEPTED", .priceIncreaseAccepted), Pairing("REFUND", nil, .refunded),
        Pairing("REFUND_DECLINED", nil, .refundDeclined), Pairing("REFUND_REVERSED", nil, .refundReversed),
        Pairing("CONSUMPTION_REQUEST", nil, .refundRequested), Pairing("REVOKE", nil, .revoked),
        Pairing("RENEWAL_EXTENDED", nil, .renewalExtended), Pairing("RENEWAL_EXTENSION", "SUMMARY", nil),
        Pairing("RENEWAL_EXTENSION", "FAILURE", .renewalExtensionFailed),
        Pairing("ONE_TIME_CHARGE", nil, .purchasedOnce), Pairing("EXTERNAL_PURCHASE_TOKEN", "CREATED", nil),
        Pairing("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", nil),
        Pairing("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", nil), Pairing("RESCIND_CONSENT", nil, nil),
        Pairing("METADATA_UPDATE", nil, .informational), Pairing("MIGRATION", nil, .informational),
        Pairing("PRICE_CHANGE", nil, .informational), Pairing("TEST", nil, nil),
        Pairing("REFUND", "SEATS", .seatsRefunded),
        Pairing("DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY", .seatsChanged),
        Pairing("DID_CHANGE_RENEWAL_PREF", "DECREASE_QUANTITY", .seatsChanged), Pairing("UNCLAIM_SEATS", nil, nil),
    ]
}
