package import Billing
package import Foundation
import Gateways

/// A purchase token in the simulated Play Console: of a subscription, or of something that does not renew.
package struct SimulatedGooglePurchase: Sendable {
    package var token: String
    /// `ACTIVE`, `PAUSED`, …; of what does not renew `PURCHASED`, `PENDING`, `CANCELLED`.
    package var state: String
    package var plan: SimulatedPlan
    /// False of what does not renew.
    package var isSubscription = true
    package var isPrepaid = false
    /// The plans that were bought beside it.
    package var addOns: [SimulatedPlan] = []
    package var accountID: String?
    package var isTest = false
    package var country = "DE"
    package var startedAt: Date?
    package var expiresAt: Date?
    package var orders: [String] = []
    package var renews = true
    package var isAcknowledged = false
    package var isConsumed = false
    /// Of what does not renew, and how many of them were not given back.
    package var pieces: Int64 = 1
    package var refundable: Int64 = 1
    package var linkedToken: String?
    /// The token that ended before it was bought again in Google's own list.
    package var expiredToken: String?
    /// `userInitiatedCancellation` and its like.
    package var cancellation: String?
    package var resumesAt: Date?
    package var pendingPlan: SimulatedPlan?
    package var newPrice: (price: Money, state: String)?
    package var isTrial = false
    package var version = 1

    var etag: String { "etag-\(token.prefix(8))-\(version)" }

    /// `SubscriptionPurchaseV2`
    ///
    /// - Parameter leavesOut: members that are missing.
    func subscription(leavingOut leavesOut: Set<String>) -> JSON {
        var json: JSON = [
            "kind": "androidpublisher#subscriptionPurchaseV2", "regionCode": .string(country),
            "subscriptionState": .string("SUBSCRIPTION_STATE_\(state)"),
            "acknowledgementState": .string(
                isAcknowledged ? "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED" : "ACKNOWLEDGEMENT_STATE_PENDING"
            ),
            "etag": .string(etag),
        ]
        if let startedAt { json["startTime"] = .google(startedAt) }
        if let linkedToken { json["linkedPurchaseToken"] = .string(linkedToken) }
        if let accountID {
            json["externalAccountIdentifiers"] = ["obfuscatedExternalAccountId": .string(accountID)]
        }
        if let expiredToken, !isAcknowledged {
            json["outOfAppPurchaseContext"] = ["expiredPurchaseToken": .string(expiredToken)]
        }
        if isTest { json["testPurchase"] = [:] }
        if let cancellation, state == "CANCELED" || state == "EXPIRED" {
            json["canceledStateContext"] = .object([JSON.Member(name: cancellation, value: [:])])
        }
        if let resumesAt, state == "PAUSED" { json["pausedStateContext"] = ["autoResumeTime": .google(resumesAt)] }
        json["lineItems"] = .array(items(leavingOut: leavesOut))
        for name in leavesOut { json[name] = nil }
        return json
    }

    private func items(leavingOut leavesOut: Set<String>) -> [JSON] {
        var items = ([plan] + addOns).map { item($0, order: orders.last, leavesOut) }
        if let pendingPlan {
            items[0]["deferredItemReplacement"] = ["productId": .string(pendingPlan.productID)]
            var next = item(pendingPlan, order: nil, leavesOut)
            next["expiryTime"] = nil
            items.append(next)
        }
        return items
    }

    private func item(_ plan: SimulatedPlan, order: String?, _ leavesOut: Set<String>) -> JSON {
        var item: JSON = [
            "productId": .string(plan.productID), "offerDetails": ["basePlanId": .string(plan.basePlanID)],
            "offerPhase": .object([JSON.Member(name: isTrial ? "freeTrial" : "basePrice", value: [:])]),
        ]
        if let expiresAt { item["expiryTime"] = .google(expiresAt) }
        if let order { item["latestSuccessfulOrderId"] = .string(order) }
        if isPrepaid {
            item["prepaidPlan"] = [:]
        } else {
            var renewing: JSON = ["recurringPrice": .google(plan.price)]
            if renews, !leavesOut.contains("autoRenewEnabled") { renewing["autoRenewEnabled"] = true }
            if let newPrice {
                renewing["priceChangeDetails"] = [
                    "newPrice": .google(newPrice.price), "priceChangeMode": "PRICE_INCREASE",
                    "priceChangeState": .string(newPrice.state),
                ]
            }
            item["autoRenewingPlan"] = renewing
        }
        return item
    }

    /// `ProductPurchaseV2`
    func product() -> JSON {
        var json: JSON = [
            "kind": "androidpublisher#productPurchaseV2", "regionCode": .string(country),
            "purchaseStateContext": ["purchaseState": .string(state)],
            "acknowledgementState": .string(
                isAcknowledged ? "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED" : "ACKNOWLEDGEMENT_STATE_PENDING"
            ),
            "productLineItem": [
                [
                    "productId": .string(plan.productID),
                    "productOfferDetails": [
                        "purchaseOptionId": .string(plan.basePlanID), "quantity": .integer(pieces),
                        "refundableQuantity": .integer(refundable),
                        "consumptionState": .string(
                            isConsumed ? "CONSUMPTION_STATE_CONSUMED" : "CONSUMPTION_STATE_YET_TO_BE_CONSUMED"
                        ),
                    ],
                ]
            ],
        ]
        if let order = orders.last { json["orderId"] = .string(order) }
        if let startedAt { json["purchaseCompletionTime"] = .google(startedAt) }
        if let accountID { json["obfuscatedExternalAccountId"] = .string(accountID) }
        if isTest { json["testPurchaseContext"] = ["fopType": "TEST"] }
        return json
    }
}
