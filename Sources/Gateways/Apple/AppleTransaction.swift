package import Foundation

/// Apple's record of one transaction (`JWSTransactionDecodedPayload`); every field may be missing.
///
/// Prices are in thousandths of the currency's unit. `advancedCommerceInfo` is kept as it came.
package struct AppleTransaction: Hashable, Sendable {
    package let transactionID: String?
    package let originalTransactionID: String?
    package let webOrderLineItemID: String?
    package let appTransactionID: String?
    package let bundleID: String?
    package let productID: String?
    package let subscriptionGroupIdentifier: String?
    package let purchaseDate: Date?
    package let originalPurchaseDate: Date?
    package let expiresDate: Date?
    package let signedDate: Date?
    /// Of a purchase by seats: those of this transaction, and nil where they cannot be read.
    package let quantity: Int64?
    package let type: ProductType?
    package let rawType: String?
    package let appAccountToken: UUID?
    package let rawAppAccountToken: String?
    package let ownership: Ownership?
    package let rawOwnership: String?
    package let revocationDate: Date?
    package let revocationReason: Int64?
    package let revocationType: String?
    /// In thousandths of a percent: 50000 = 50 %.
    package let revocationPercentage: Int64?
    package let isUpgraded: Bool?
    package let offerType: AppleOfferType?
    package let rawOfferType: Int64?
    package let offerIdentifier: String?
    package let offerDiscountType: String?
    package let offerPeriod: String?
    package let rawEnvironment: String?
    package let storefront: String?
    package let storefrontID: String?
    package let transactionReason: Reason?
    package let rawTransactionReason: String?
    /// Of a purchase by seats: the average of one, rounded (`seats.total` is what was charged).
    package let price: Int64?
    package let currency: String?
    package let billingPlanType: String?
    package let commitment: AppleCommitment?
    package let previousOriginalTransactionID: String?
    package let advancedCommerceInfo: JSON?
    /// `multiSeatInfo`; nil for what is not sold by seats.
    package let seats: AppleSeats?
    /// `additionalTransactionReason`, such as SEAT_ADDITION.
    package let additionalReason: String?

    package init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "transaction")
        transactionID = try fields.string("transactionId")
        originalTransactionID = try fields.string("originalTransactionId")
        webOrderLineItemID =
            fields.unneeded { fields throws(GatewayError) in try fields.string("webOrderLineItemId") }
            ?? fields.unneeded { fields throws(GatewayError) in
                try fields.integer("webOrderLineItemId").map { String($0) }
            }
        appTransactionID = try fields.string("appTransactionId")
        bundleID = try fields.string("bundleId")
        productID = try fields.string("productId")
        subscriptionGroupIdentifier = try fields.string("subscriptionGroupIdentifier")
        purchaseDate = try fields.date("purchaseDate")
        originalPurchaseDate = fields.unneeded { fields throws(GatewayError) in try fields.date("originalPurchaseDate")
        }
        expiresDate = try fields.date("expiresDate")
        signedDate = try fields.date("signedDate")
        rawType = try fields.string("type")
        type = rawType.flatMap(ProductType.init(rawValue:))
        rawAppAccountToken = try fields.string("appAccountToken")
        appAccountToken = rawAppAccountToken.flatMap(UUID.init(uuidString:))
        rawOwnership = try fields.string("inAppOwnershipType")
        ownership = rawOwnership.flatMap(Ownership.init(rawValue:))
        seats = fields.value("multiSeatInfo").map(AppleSeats.init(ofTransaction:))
        // The length of a purchase that does not renew depends on it; the price of seats is known without it.
        quantity =
            seats == nil && ownership != .assigned
            ? try fields.integer("quantity")
            : fields.unneeded { fields throws(GatewayError) in try fields.integer("quantity") }
        revocationDate = try fields.date("revocationDate")
        revocationReason = try fields.integer("revocationReason")
        revocationType = try fields.string("revocationType")
        revocationPercentage = try fields.integer("revocationPercentage")
        isUpgraded = try fields.bool("isUpgraded")
        rawOfferType = try fields.integer("offerType")
        offerType = rawOfferType.flatMap(AppleOfferType.init(rawValue:))
        offerIdentifier = try fields.string("offerIdentifier")
        offerDiscountType = try fields.string("offerDiscountType")
        offerPeriod = fields.unneeded { fields throws(GatewayError) in try fields.string("offerPeriod") }
        rawEnvironment = try fields.string("environment")
        storefront = try fields.string("storefront")
        storefrontID = fields.unneeded { fields throws(GatewayError) in try fields.string("storefrontId") }
        rawTransactionReason = try fields.string("transactionReason")
        transactionReason = rawTransactionReason.flatMap(Reason.init(rawValue:))
        price = try fields.integer("price")
        currency = try fields.string("currency")
        billingPlanType = try fields.string("billingPlanType")
        let commitment = try fields.object("commitmentInfo", as: "commitment info")
        self.commitment = try commitment.map { fields throws(GatewayError) in try AppleCommitment(fields) }
        previousOriginalTransactionID = try fields.string("previousOriginalTransactionId")
        advancedCommerceInfo = fields.value("advancedCommerceInfo")
        additionalReason = fields.unneeded { fields throws(GatewayError) in
            try fields.string("additionalTransactionReason")
        }
    }

    /// `type`.
    package enum ProductType: String, Hashable, Sendable, CaseIterable {
        case autoRenewable = "Auto-Renewable Subscription"
        case nonConsumable = "Non-Consumable"
        case consumable = "Consumable"
        case nonRenewing = "Non-Renewing Subscription"
    }

    /// `inAppOwnershipType`.
    package enum Ownership: String, Hashable, Sendable, CaseIterable {
        case purchased = "PURCHASED"
        case familyShared = "FAMILY_SHARED"
        /// A seat that an organization or the buyer of a group gave to this person (App Store Server API 1.22).
        case assigned = "ASSIGNED"
    }

    /// `transactionReason`.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case purchase = "PURCHASE"
        case renewal = "RENEWAL"
    }
}

/// `offerType`.
package enum AppleOfferType: Int64, Hashable, Sendable, CaseIterable {
    case introductory = 1
    case promotional = 2
    case offerCode = 3
    case winBack = 4
}

/// The state of a monthly plan with a yearly commitment (`commitmentInfo`).
package struct AppleCommitment: Hashable, Sendable {
    package let billingPeriodNumber: Int64?
    package let totalBillingPeriods: Int64?
    package let expiresDate: Date?
    package let price: Int64?

    init(_ fields: JSONFields) throws(GatewayError) {
        billingPeriodNumber = try fields.integer("billingPeriodNumber")
        totalBillingPeriods = try fields.integer("totalBillingPeriods")
        expiresDate = try fields.date("commitmentExpiresDate")
        price = fields.unneeded { fields throws(GatewayError) in try fields.integer("commitmentPrice") }
    }
}
