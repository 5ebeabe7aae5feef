import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension SubscriptionSummary {
    init(_ row: ListedSubscription, at now: Date) {
        let subscription = row.subscription
        self.init(
            id: row.id.uuid,
            userId: row.customer.id.uuid,
            planType: row.planCode,
            productId: subscription.productID,
            productName: row.productName,
            status: subscription.state(at: now).rawValue.uppercased(),
            source: row.store.source,
            environment: row.environment.name,
            originalTransactionId: row.originalTransactionID,
            startedAt: row.startedAt,
            expiresAt: subscription.periodEndsAt,
            gracePeriodExpiresAt: subscription.gracePeriodEndsAt,
            cancelledAt: subscription.cancelledAt,
            trialStartedAt: row.trialStartedAt,
            trialEndsAt: row.trialEndsAt,
            willRenew: subscription.renewsAutomatically,
            future: SubscriptionFuture(subscription, at: now),
            isAssigned: row.isAssigned,
            seats: row.seats.map(SeatSummary.init),
            createdAt: row.createdAt,
            updatedAt: row.updatedAt
        )
    }
}

extension SeatSummary {
    init(_ seats: SeatCounts) {
        self.init(
            bought: seats.bought,
            refunded: seats.revoked,
            used: seats.invitations == .app ? seats.claimed : nil,
            renewsWith: seats.next,
            invitations: seats.invitations?.rawValue.uppercased()
        )
    }
}
