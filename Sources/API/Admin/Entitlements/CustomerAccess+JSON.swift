import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension CustomerAccess {
    /// - Parameters:
    ///   - actions: the actions, newest first.
    ///   - basePlan: the plan that everybody has; nil for an app without plans.
    init(
        _ held: EntitlementSources,
        _ actions: [EntitlementActionRecord],
        basePlan: String?,
        consentRescindedAt: Date?,
        at now: Date
    ) {
        let entitlement = held.entitlement(at: now)
        let standing = held.standing(basePlan: basePlan, at: now)
        self.init(
            userId: held.customer.uuid,
            planType: standing.plan,
            status: standing.state.documentStatus,
            source: entitlement.map { held.apiSource(of: $0.source) },
            of: entitlement?.source.formValue,
            productId: entitlement?.productID,
            startedAt: entitlement?.since,
            expiresAt: standing.until,
            willRenew: entitlement?.willRenew ?? false,
            consentRescindedAt: consentRescindedAt,
            subscriptions: held.subscriptions.map { CustomerAccess.HeldSubscription($0, at: now) },
            grants: held.grants.map { CustomerAccess.HeldGrant($0, at: now) },
            actions: actions.map { DoneAction($0) },
            version: held.fingerprint
        )
    }
}

extension CustomerAccess.HeldSubscription {
    fileprivate init(_ held: Billing.HeldSubscription, at now: Date) {
        let subscription = held.subscription
        self.init(
            id: held.id.uuid,
            of: Entitlement.Source.subscription(held.id).formValue,
            planType: held.plan.code,
            status: subscription.state(at: now).rawValue.uppercased(),
            source: held.store.source,
            productId: subscription.productID,
            startedAt: subscription.startedAt,
            expiresAt: subscription.periodEndsAt,
            willRenew: subscription.renewsAutomatically,
            future: SubscriptionFuture(subscription, at: now),
            suspendedAt: held.suspendedAt
        )
    }
}

extension CustomerAccess.HeldGrant {
    fileprivate init(_ grant: Grant, at now: Date) {
        self.init(
            id: grant.id.uuid,
            of: Entitlement.Source.grant(grant.id).formValue,
            planType: grant.plan.code,
            type: grant.kind.rawValue.uppercased(),
            status: grant.state(at: now).rawValue.uppercased(),
            startedAt: grant.startsAt,
            expiresAt: grant.endsAt,
            endedAt: grant.endedAt
        )
    }
}

extension CustomerAccess.DoneAction {
    fileprivate init(_ action: EntitlementActionRecord) {
        self.init(
            id: action.id.uuid,
            type: action.kind.rawValue.uppercased(),
            createdAt: action.at,
            undoes: action.undoes?.uuid,
            undoneBy: action.undoneBy?.uuid
        )
    }
}
