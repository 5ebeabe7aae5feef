import APITypes
import Billing
import Foundation
import Storage

extension SubscriptionSummary {
    init(_ row: SubscriptionList.Row, at now: Date) {
        let subscription = row.subscription
        self.init(
            id: row.id.uuid,
            userId: row.customer.id.uuid,
            planType: row.planCode,
            productId: subscription.productID,
            productName: row.productName,
            status: subscription.state(at: now).rawValue.uppercased(),
            source: row.store.source,
            environment: row.environment.rawValue.uppercased(),
            originalTransactionId: row.originalTransactionID,
            startedAt: row.startedAt,
            expiresAt: subscription.periodEndsAt,
            gracePeriodExpiresAt: subscription.gracePeriodEndsAt,
            cancelledAt: subscription.cancelledAt,
            willRenew: subscription.renewsAutomatically
        )
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("userId", userId)
            json.field("planType", planType)
            json.field("productId", productId)
            json.field("productName", productName)
            json.field("status", status)
            json.field("source", source)
            json.field("environment", environment)
            json.field("originalTransactionId", originalTransactionId)
            json.field("startedAt", startedAt)
            json.field("expiresAt", expiresAt)
            json.field("gracePeriodExpiresAt", gracePeriodExpiresAt)
            json.field("cancelledAt", cancelledAt)
            json.field("willRenew", willRenew)
        }
    }
}

extension SubscriptionPage {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("subscriptions")
            json.array(subscriptions) { json, subscription in subscription.write(to: &json) }
            json.field("next", next)
        }
    }
}
