package import Billing
package import Foundation

/// Apple's answer about a receipt: all purchases that it knows of, and the renewals of the subscriptions.
package struct VerifiedReceipt: Hashable, Sendable {
    /// The environment that accepted the receipt, whatever the receipt itself says.
    package let environment: StoreEnvironment
    package let bundleID: String
    package let appAppleID: Int64?
    package let originalApplicationVersion: String?
    package let createdAt: Date?
    /// The time of the answer, by Apple's clock.
    package let requestedAt: Date?
    /// In the order of their dates.
    package let purchases: [AppleReceiptPurchase]
    package let renewals: [AppleReceiptRenewal]
    /// The errors of purchases or renewals that could not be read, one each.
    package let unreadable: [String]
    /// The newest receipt, in base64, for asking again later.
    package let latestReceipt: String?

    /// - Throws: `.missing` without a receipt; `.wrongApp` for another app's.
    init(
        _ answer: VerifyReceiptAnswer,
        from environment: StoreEnvironment,
        for app: AppleConfiguration
    ) throws(GatewayError) {
        guard let receipt = try answer.receipt, let bundleID = try receipt.text("bundle_id", "bid") else {
            throw GatewayError(.missing, "Apple's answer has no receipt with a bundle id.")
        }
        guard bundleID == app.bundleID else {
            throw GatewayError(.wrongApp, "The receipt is of another app.", field: "bundleId")
        }
        self.environment = environment
        self.bundleID = bundleID
        appAppleID = try receipt.integer("app_item_id", "adam_id")
        originalApplicationVersion = try receipt.text("original_application_version")
        createdAt = try receipt.date("receipt_creation_date")
        requestedAt = try receipt.date("request_date")
        var unreadable: [String] = []
        purchases = try answer.purchases(&unreadable)
        renewals = try answer.renewals(&unreadable)
        self.unreadable = unreadable
        latestReceipt = try answer.latestReceipt
    }

    /// A subscription's current purchase: the one that ends last among those neither cancelled nor upgraded; if there are none, the one
    /// that ends last of all.
    package func current(originalTransactionID: String) -> AppleReceiptPurchase? {
        let chain = purchases.filter { $0.originalTransactionID == originalTransactionID }
        let standing = chain.filter { $0.cancelledAt == nil && !$0.isUpgraded }
        return (standing.isEmpty ? chain : standing).max {
            ($0.expiresAt ?? $0.purchasedAt, $0.transactionID) < ($1.expiresAt ?? $1.purchasedAt, $1.transactionID)
        }
    }
}
