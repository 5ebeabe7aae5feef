import APITypes
import Billing
import Foundation
import Storage

extension SubscriptionStatus {
    /// What decides at `now` among all that a customer holds; else what ended last; else the plan that everybody has.
    init(_ held: EntitlementSources, of session: CustomerSession, basePlan: String?, at now: Date) {
        let entitlement = held.entitlement(at: now)
        let subscription: HeldSubscription? =
            switch entitlement?.source {
            case .subscription(let id): held.subscription(id)
            case .grant: nil
            case nil: held.lastSubscription
            }
        let lifetime = subscription?.subscription
        self.init(
            userId: session.customer.uuid,
            externalId: session.externalID,
            planType: entitlement?.plan.code ?? basePlan,
            status: (entitlement?.state ?? lifetime?.state(at: now) ?? .active).rawValue.uppercased(),
            source: subscription?.store.source ?? (entitlement == nil ? nil : "GRANT"),
            productId: lifetime?.productID,
            originalTransactionId: subscription?.originalTransactionID,
            startedAt: entitlement?.since ?? lifetime?.startedAt,
            expiresAt: entitlement == nil ? lifetime?.endedAt ?? lifetime?.periodEndsAt : entitlement?.until,
            cancelledAt: lifetime?.cancelledAt,
            trialStartedAt: lifetime?.trialStartedAt,
            trialEndsAt: lifetime?.trialEndsAt,
            willRenew: entitlement?.willRenew ?? false,
            appAccountToken: session.accountToken,
            serverTime: now
        )
    }
}

extension EntitlementSources {
    /// The one whose paid time ended last.
    fileprivate var lastSubscription: HeldSubscription? {
        subscriptions.max { left, right in
            (left.end, left.id.description) < (right.end, right.id.description)
        }
    }
}

extension HeldSubscription {
    fileprivate var end: Date { subscription.endedAt ?? subscription.periodEndsAt ?? .distantPast }
}
