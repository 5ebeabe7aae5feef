import APITypes
import Billing
import Foundation
import Storage

extension SubscriptionStatus {
    init(_ current: CurrentSubscription) {
        let (session, subscription) = (current.session, current.held)
        let lifetime = subscription?.subscription
        self.init(
            userId: session.customer.uuid,
            externalId: session.externalID,
            planType: current.plan,
            status: current.state.rawValue.uppercased(),
            source: current.store?.source ?? (current.grant == nil ? nil : "GRANT"),
            productId: lifetime?.productID,
            originalTransactionId: subscription?.originalTransactionID,
            startedAt: current.startedAt,
            expiresAt: current.expiresAt,
            cancelledAt: lifetime?.cancelledAt,
            trialStartedAt: lifetime?.trialStartedAt,
            trialEndsAt: lifetime?.trialEndsAt,
            willRenew: current.willRenew,
            appAccountToken: session.accountToken,
            serverTime: current.now
        )
    }
}
