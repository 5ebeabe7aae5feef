import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension SubscriptionStatus {
    init(_ current: CurrentSubscription) {
        let (session, subscription) = (current.session, current.held)
        let lifetime = subscription?.subscription
        let record = current.grant.flatMap { current.sources.grantRecords[$0.id] }
        self.init(
            id: current.id,
            userId: session.customer.uuid,
            externalId: session.externalID,
            planType: current.plan,
            status: current.state.documentStatus,
            source: current.source,
            productId: lifetime?.productID,
            originalTransactionId: subscription?.originalTransactionID,
            startedAt: current.startedAt,
            expiresAt: current.expiresAt,
            cancelledAt: lifetime?.cancelledAt,
            trialStartedAt: lifetime?.trialStartedAt ?? current.sources.trial?.startsAt,
            trialEndsAt: lifetime?.trialEndsAt ?? current.sources.trial?.endsAt,
            willRenew: current.willRenew,
            future: SubscriptionFuture(current),
            createdAt: subscription?.createdAt ?? record?.createdAt,
            updatedAt: subscription?.updatedAt ?? record?.updatedAt,
            appAccountToken: session.accountToken,
            serverTime: current.now
        )
    }
}

extension CurrentSubscription {
    /// The readmigo document's source: `NONE` where nothing was bought or given, and for a trial that the app gives.
    fileprivate var source: String {
        if let entitlement { return sources.apiSource(of: entitlement.source) }
        return held?.store.source ?? "NONE"
    }
}

extension Subscription.State {
    /// The readmigo document's status: `EXPIRED` for a refunded subscription ("handleRefund"), and for an unpaid one once the grace
    /// period is over ("handleGracePeriodExpired").
    var documentStatus: String {
        switch self {
        case .revoked, .billingRetry: Self.expired.rawValue.uppercased()
        case .pending, .trial, .active, .gracePeriod, .cancelled, .paused, .expired, .trialExpired:
            rawValue.uppercased()
        }
    }
}
