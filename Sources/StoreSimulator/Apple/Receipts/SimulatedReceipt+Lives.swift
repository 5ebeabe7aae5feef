import Billing
package import Foundation
import Gateways

/// Receipts of simulated customers, with the same transactions as the notifications.
extension SimulatedReceipt {
    /// The receipt on a customer's device at a date; nil before their first purchase.
    ///
    /// - Parameter notifications: the notifications of one customer.
    package init?(of notifications: [SimulatedNotification], at date: Date) {
        let told = notifications.filter { $0.signedDate <= date }
        guard let first = told.first(where: { $0.transaction != nil }) else { return nil }
        let isSandbox = first.environment == .sandbox
        self.init(
            environment: isSandbox ? "ProductionSandbox" : "Production",
            bundleID: first.bundleID,
            appAppleID: isSandbox ? 0 : first.appAppleID,
            createdAt: date,
            originalPurchasedAt: first.signedDate,
            deviceID: first.customer ?? first.notificationUUID,
            purchases: told.purchases
        )
    }
}

extension [SimulatedNotification] {
    /// Each transaction as the last notification has it, in the order in which they first appear.
    var purchases: [AppleReceiptPurchase] {
        var order: [String] = []
        var latest: [String: AppleReceiptPurchase] = [:]
        for transaction in compactMap(\.transaction) {
            if latest[transaction.id] == nil { order.append(transaction.id) }
            latest[transaction.id] = AppleReceiptPurchase(transaction)
        }
        return order.compactMap { latest[$0] }
    }

    var pendingRenewals: [SimulatedPendingRenewal] {
        compactMap(\.renewal).map(SimulatedPendingRenewal.init)
    }
}

extension AppleReceiptPurchase {
    init(_ transaction: SimulatedTransaction) {
        self.init(
            transactionID: transaction.id,
            originalTransactionID: transaction.originalID,
            productID: transaction.product.id,
            productType: .autoRenewable,
            purchasedAt: transaction.purchaseDate,
            originallyPurchasedAt: transaction.originalPurchaseDate,
            expiresAt: transaction.expiresDate,
            cancelledAt: transaction.revocation?.date,
            cancellationReason: transaction.revocation?.reason,
            isTrial: transaction.isFreeTrial,
            isUpgraded: transaction.isUpgraded,
            isFamilyShared: transaction.isFamilyShared,
            offerCodeName: transaction.offerIdentifier,
            webOrderLineItemID: transaction.webOrderLineItemID,
            subscriptionGroupID: transaction.groupID,
            appAccountToken: transaction.appAccountToken
        )
    }
}

extension SimulatedPendingRenewal {
    init(_ renewal: SimulatedRenewal) {
        self.init(
            originalTransactionID: renewal.originalID,
            productID: renewal.product.id,
            nextProductID: renewal.nextProduct.id,
            renewsAutomatically: renewal.renewsAutomatically,
            expirationIntent: renewal.expirationIntent,
            isInBillingRetry: renewal.isInBillingRetry,
            gracePeriodExpiresDate: renewal.gracePeriodExpiresDate
        )
    }
}
