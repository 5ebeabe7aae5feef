package import Billing
package import Foundation

/// A notification of the simulated App Store before it is signed.
package struct SimulatedNotification: Hashable, Sendable {
    package var notificationUUID: UUID
    /// Apple's spelling, also of types that do not exist.
    package var type: String
    package var subtype: String?
    package var signedDate: Date
    package var environment: StoreEnvironment
    package var bundleID: String
    package var appAppleID: Int64
    /// Apple's 1 to 5; nil where it concerns no subscription.
    package var status: Int64?
    package var consumptionRequestReason: String?
    package var transaction: SimulatedTransaction?
    package var renewal: SimulatedRenewal?
    /// The app account token of the customer whom it is about.
    package var customer: UUID?
}

/// A charge in the books of the simulated App Store. Prices are in thousandths of the currency's unit.
package struct SimulatedTransaction: Hashable, Sendable {
    package var id: String
    package var originalID: String
    package var webOrderLineItemID: String
    package var product: SimulatedProduct
    package var groupID: String
    package var purchaseDate: Date
    package var originalPurchaseDate: Date
    package var expiresDate: Date
    package var price: Int64
    package var currency: String
    package var storefront: SimulatedStorefront
    package var appAccountToken: UUID?
    package var isRenewal: Bool
    package var isFamilyShared: Bool
    package var isFreeTrial: Bool
    /// The name of the offer code that the period was sold under, if any.
    package var offerIdentifier: String?
    package var isUpgraded: Bool
    package var revocation: SimulatedRevocation?
}

/// The revocation of a transaction.
package struct SimulatedRevocation: Hashable, Sendable {
    package var date: Date
    /// 1: an issue within the app; 0: anything else.
    package var reason: Int64
    /// `REFUND_FULL`, `REFUND_PRORATED` or `FAMILY_REVOKE`.
    package var type: String
    /// The refunded share in thousandths of a percent; only of refunds.
    package var percentage: Int64?
}

/// The renewal that the simulated App Store plans for the period's end.
package struct SimulatedRenewal: Hashable, Sendable {
    package var originalID: String
    package var product: SimulatedProduct
    package var nextProduct: SimulatedProduct
    package var renewsAutomatically: Bool
    package var renewalDate: Date
    package var renewalPrice: Int64
    package var currency: String
    package var recentSubscriptionStartDate: Date
    /// Apple's 1 to 5, once the subscription has expired.
    package var expirationIntent: Int64?
    package var isInBillingRetry: Bool?
    package var gracePeriodExpiresDate: Date?
    package var priceIncreaseStatus: Int64?
    package var appAccountToken: UUID?
}
