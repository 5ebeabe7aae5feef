import Billing
import Foundation
import Gateways

/// JSON payloads in the shape of Apple's documentation (stores/apple.md, 1.2 to 1.5).
extension SimulatedNotification {
    func payload(signedTransaction: String?, signedRenewal: String?) -> JSON {
        var data = JSON.object([])
        // Apple leaves the number out of Sandbox notifications.
        if environment == .production { data["appAppleId"] = .integer(appAppleID) }
        data["bundleId"] = .string(bundleID)
        data["bundleVersion"] = "42"
        data["environment"] = .string(environmentName)
        data["signedTransactionInfo"] = signedTransaction.map { .string($0) }
        data["signedRenewalInfo"] = signedRenewal.map { .string($0) }
        data["status"] = status.map { .integer($0) }
        data["consumptionRequestReason"] = consumptionRequestReason.map { .string($0) }
        var payload: JSON = ["notificationType": .string(type)]
        payload["subtype"] = subtype.map { .string($0) }
        payload["notificationUUID"] = .string(notificationUUID.uuidString.lowercased())
        payload["data"] = data
        payload["version"] = "2.0"
        payload["signedDate"] = signedDate.milliseconds
        return payload
    }

    fileprivate var environmentName: String {
        switch environment {
        case .production: "Production"
        case .sandbox: "Sandbox"
        }
    }
}

extension SimulatedTransaction {
    func payload(within notification: SimulatedNotification) -> JSON {
        var payload: JSON = [
            "transactionId": .string(id), "originalTransactionId": .string(originalID),
            "webOrderLineItemId": .string(webOrderLineItemID), "bundleId": .string(notification.bundleID),
            "productId": .string(product.id), "subscriptionGroupIdentifier": .string(groupID),
            "purchaseDate": purchaseDate.milliseconds, "originalPurchaseDate": originalPurchaseDate.milliseconds,
            "expiresDate": expiresDate.milliseconds, "quantity": 1, "type": "Auto-Renewable Subscription",
        ]
        payload["appTransactionId"] = .string(SimulatedAccount.id(of: originalID))
        payload["appAccountToken"] = appAccountToken.map { .string($0.uuidString.lowercased()) }
        payload["inAppOwnershipType"] = isFamilyShared ? "FAMILY_SHARED" : "PURCHASED"
        payload["signedDate"] = notification.signedDate.milliseconds
        if isFreeTrial {
            payload["offerType"] = 1
            payload["offerDiscountType"] = "FREE_TRIAL"
            payload["offerPeriod"] = "P1W"
        } else if let offerIdentifier {
            payload["offerType"] = 3
            payload["offerIdentifier"] = .string(offerIdentifier)
            payload["offerDiscountType"] = "PAY_AS_YOU_GO"
            payload["offerPeriod"] = .string("\(product.period)")
        }
        if isUpgraded { payload["isUpgraded"] = true }
        if let revocation {
            payload["revocationDate"] = revocation.date.milliseconds
            payload["revocationReason"] = .integer(revocation.reason)
            payload["revocationType"] = .string(revocation.type)
            payload["revocationPercentage"] = revocation.percentage.map { .integer($0) }
        }
        payload["environment"] = .string(notification.environmentName)
        payload["transactionReason"] = isRenewal ? "RENEWAL" : "PURCHASE"
        payload["storefront"] = .string(storefront.country)
        payload["storefrontId"] = .string(storefront.id)
        payload["price"] = .integer(price)
        payload["currency"] = .string(currency)
        return payload
    }
}

extension SimulatedRenewal {
    func payload(within notification: SimulatedNotification) -> JSON {
        var payload: JSON = [
            "originalTransactionId": .string(originalID), "productId": .string(product.id),
            "autoRenewProductId": .string(nextProduct.id), "autoRenewStatus": renewsAutomatically ? 1 : 0,
            "appTransactionId": .string(SimulatedAccount.id(of: originalID)),
        ]
        payload["expirationIntent"] = expirationIntent.map { .integer($0) }
        payload["isInBillingRetryPeriod"] = isInBillingRetry.map { .bool($0) }
        payload["gracePeriodExpiresDate"] = gracePeriodExpiresDate?.milliseconds
        payload["priceIncreaseStatus"] = priceIncreaseStatus.map { .integer($0) }
        payload["appAccountToken"] = appAccountToken.map { .string($0.uuidString.lowercased()) }
        payload["renewalDate"] = renewalDate.milliseconds
        payload["renewalPrice"] = .integer(renewalPrice)
        payload["currency"] = .string(currency)
        payload["recentSubscriptionStartDate"] = recentSubscriptionStartDate.milliseconds
        payload["signedDate"] = notification.signedDate.milliseconds
        payload["environment"] = .string(notification.environmentName)
        return payload
    }
}
