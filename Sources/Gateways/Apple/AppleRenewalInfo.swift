package import Foundation

/// Apple's plan for the end of the period (`JWSRenewalInfoDecodedPayload`); every field may be missing.
///
/// Prices are in thousandths of the currency's unit.
package struct AppleRenewalInfo: Hashable, Sendable {
    package let originalTransactionID: String?
    package let productID: String?
    package let autoRenewProductID: String?
    /// `autoRenewStatus`: 1 is on, 0 is off.
    package let renewsAutomatically: Bool?
    package let rawAutoRenewStatus: Int64?
    package let expirationIntent: ExpirationIntent?
    package let rawExpirationIntent: Int64?
    package let isInBillingRetryPeriod: Bool?
    package let gracePeriodExpiresDate: Date?
    /// 0: not answered yet; 1: agreed, or informed where no agreement is needed.
    package let priceIncreaseStatus: Int64?
    package let offerType: AppleOfferType?
    package let rawOfferType: Int64?
    package let offerIdentifier: String?
    package let offerDiscountType: String?
    package let offerPeriod: String?
    package let signedDate: Date?
    package let rawEnvironment: String?
    package let recentSubscriptionStartDate: Date?
    package let renewalDate: Date?
    /// For a renewal by seats: the average price of one, rounded (`seats.total` is the charge).
    package let renewalPrice: Int64?
    /// The number of seats that it renews with.
    package let renewalQuantity: Int?
    /// `multiSeatInfo`; nil for what does not renew by seats.
    package let seats: AppleSeats?
    package let currency: String?
    package let eligibleWinBackOfferIDs: [String]
    package let appAccountToken: UUID?
    package let appTransactionID: String?
    package let renewalBillingPlanType: String?
    package let commitmentInfo: JSON?
    package let advancedCommerceInfo: JSON?

    /// No member about the renewal decides on a purchase: one of another type than documented says nothing.
    package init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "renewal info")
        func text(_ name: StaticString) -> String? {
            fields.unneeded { fields throws(GatewayError) in try fields.string(name) }
        }
        func integer(_ name: StaticString) -> Int64? {
            fields.unneeded { fields throws(GatewayError) in try fields.integer(name) }
        }
        func date(_ name: StaticString) -> Date? {
            fields.unneeded { fields throws(GatewayError) in try fields.date(name) }
        }
        originalTransactionID = try fields.string("originalTransactionId")
        productID = text("productId")
        autoRenewProductID = text("autoRenewProductId")
        rawAutoRenewStatus = integer("autoRenewStatus")
        renewsAutomatically = rawAutoRenewStatus.map { $0 == 1 }
        rawExpirationIntent = integer("expirationIntent")
        expirationIntent = rawExpirationIntent.flatMap(ExpirationIntent.init(rawValue:))
        isInBillingRetryPeriod = fields.unneeded { fields throws(GatewayError) in
            try fields.bool("isInBillingRetryPeriod")
        }
        gracePeriodExpiresDate = date("gracePeriodExpiresDate")
        priceIncreaseStatus = integer("priceIncreaseStatus")
        rawOfferType = integer("offerType")
        offerType = rawOfferType.flatMap(AppleOfferType.init(rawValue:))
        offerIdentifier = text("offerIdentifier")
        offerDiscountType = text("offerDiscountType")
        offerPeriod = text("offerPeriod")
        signedDate = try fields.date("signedDate")
        rawEnvironment = try fields.string("environment")
        recentSubscriptionStartDate = date("recentSubscriptionStartDate")
        renewalDate = date("renewalDate")
        renewalPrice = integer("renewalPrice")
        renewalQuantity = fields.value("renewalQuantity").flatMap(Int.init(seats:))
        seats = fields.value("multiSeatInfo").map(AppleSeats.init(ofRenewal:))
        currency = text("currency")
        eligibleWinBackOfferIDs =
            fields.unneeded { fields throws(GatewayError) in try fields.strings("eligibleWinBackOfferIds") } ?? []
        appAccountToken = text("appAccountToken").flatMap(UUID.init(uuidString:))
        appTransactionID = text("appTransactionId")
        renewalBillingPlanType = text("renewalBillingPlanType")
        commitmentInfo = fields.value("commitmentInfo")
        advancedCommerceInfo = fields.value("advancedCommerceInfo")
    }

    /// `expirationIntent`.
    package enum ExpirationIntent: Int64, Hashable, Sendable, CaseIterable {
        case cancelled = 1
        case billingError = 2
        case priceIncreaseRefused = 3
        case productUnavailable = 4
        case other = 5
    }
}
