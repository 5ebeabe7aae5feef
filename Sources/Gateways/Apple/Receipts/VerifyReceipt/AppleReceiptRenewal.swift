package import Billing
package import Foundation

/// Apple's plan for the end of a subscription's period, as verifyReceipt reports it (`pending_renewal_info`).
package struct AppleReceiptRenewal: Hashable, Sendable {
    package let originalTransactionID: String?
    package let productID: String?
    package let autoRenewProductID: String?
    /// nil if Apple does not say; that does not mean off.
    package let renewsAutomatically: Bool?
    package let expirationIntent: AppleRenewalInfo.ExpirationIntent?
    package let rawExpirationIntent: Int64?
    package let isInBillingRetryPeriod: Bool?
    package let gracePeriodExpiresDate: Date?
    /// True if the customer agreed to a higher price; nil while no consent was asked for.
    package let agreesToPriceIncrease: Bool?
    package let promotionalOfferID: String?
    package let offerCodeName: String?

    /// - Parameter receipt: the place of the ids if the other fields are beside it (iOS 6).
    init(_ fields: LooseFields, besides receipt: LooseFields? = nil) throws(GatewayError) {
        let identity = receipt ?? fields
        originalTransactionID = try identity.text("original_transaction_id")
        productID = try identity.text("product_id")
        autoRenewProductID = try fields.text("auto_renew_product_id")
        renewsAutomatically = try fields.flag("auto_renew_status")
        rawExpirationIntent = try fields.integer("expiration_intent")
        expirationIntent = rawExpirationIntent.flatMap(AppleRenewalInfo.ExpirationIntent.init(rawValue:))
        isInBillingRetryPeriod = try fields.flag("is_in_billing_retry_period")
        gracePeriodExpiresDate = try fields.date("grace_period_expires_date")
        agreesToPriceIncrease = try fields.flag("price_increase_status", "price_consent_status")
        promotionalOfferID = try fields.text("promotional_offer_id")
        offerCodeName = try fields.text("offer_code_ref_name")
    }

    /// The same in the terms that all stores share.
    package var terms: RenewalTerms {
        RenewalTerms(
            renewsAutomatically: renewsAutomatically,
            nextProductID: autoRenewProductID,
            gracePeriodEndsAt: gracePeriodExpiresDate,
            isInBillingRetry: isInBillingRetryPeriod ?? false,
            expirationReason: expirationReason,
            priceIncreaseAccepted: agreesToPriceIncrease,
            isPartial: true
        )
    }

    private var expirationReason: ExpirationReason? {
        switch expirationIntent {
        case .cancelled: .cancelled
        case .billingError: .billingError
        case .priceIncreaseRefused: .priceIncreaseRefused
        case .productUnavailable: .productUnavailable
        case .other: .other
        case nil: rawExpirationIntent == nil ? nil : .other
        }
    }
}
