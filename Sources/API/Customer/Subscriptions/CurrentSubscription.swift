import Billing
import Foundation
import HTTP
import Storage

/// The one subscription that the documents' answers are about: what decides now among all that a customer holds, else what ended
/// last, else the plan that everybody has (product.md, decision 3).
struct CurrentSubscription: Sendable {
    let session: CustomerSession
    let sources: EntitlementSources
    /// The plan that everybody has; nil for an app without plans.
    let basePlan: String?
    let now: Date
    /// What gives access; nil without.
    let entitlement: Entitlement?
    /// nil where a grant decides, and for who bought nothing.
    let held: HeldSubscription?

    init(_ sources: EntitlementSources, of session: CustomerSession, basePlan: String?, at now: Date) {
        (self.session, self.sources, self.basePlan, self.now) = (session, sources, basePlan, now)
        entitlement = sources.entitlement(at: now)
        held =
            switch entitlement?.source {
            case .subscription(let id): sources.subscription(id)
            case .grant: nil
            case nil: sources.subscriptions.latest
            }
    }

    /// In the app's own spelling.
    var plan: String? { entitlement?.plan.code ?? basePlan }

    var state: Subscription.State {
        entitlement?.state ?? held?.subscription.state(at: now) ?? sources.trial?.trialState(at: now) ?? .active
    }

    var startedAt: Date? { entitlement?.since ?? held?.subscription.startedAt ?? sources.trial?.startsAt }

    /// The end of access; nil also for access without end.
    var expiresAt: Date? {
        guard let entitlement else {
            let trial = sources.trial.flatMap { [$0.endsAt, $0.endedAt].compactMap(\.self).min() }
            return held?.subscription.endedAt ?? held?.subscription.periodEndsAt ?? trial
        }
        return entitlement.until
    }

    var willRenew: Bool { entitlement?.willRenew ?? false }

    /// Nothing was ever bought or given.
    var isBasePlan: Bool { entitlement == nil && held == nil }

    /// The grant that decides; nil where none does.
    var grant: Grant? {
        guard case .grant(let id) = entitlement?.source else { return nil }
        return sources.grant(id)
    }

    /// Of the subscription or the grant; nil for who never had anything.
    var id: UUID? { held?.id.uuid ?? grant?.id.uuid }

    /// Where it was bought; nil for what staff gave, and for who has nothing.
    var store: Store? { entitlement.flatMap { sources.store(of: $0.source) } ?? held?.store }

    /// Where a customer who cancels bought what they mean: what decides, else what they pay for beside it; nil where there is
    /// neither.
    var cancellableStore: Store? {
        if entitlement != nil, let store { return store }
        return renewing?.store
    }

    /// What our server may cancel at a store: what decides, else what the customer pays for beside it.
    var cancellable: HeldSubscription? { entitlement == nil ? renewing : held ?? renewing }

    private var renewing: HeldSubscription? {
        let renewing = sources.subscriptions.filter { each in
            each.subscription.renewsAutomatically && each.subscription.endedAt == nil
        }
        return renewing.latest
    }

    func latest(at store: Store) -> HeldSubscription? {
        held?.store == store ? held : sources.subscriptions.filter { $0.store == store }.latest
    }

    /// Whether an end that was to be a renewal has passed, and the store has not said what became of it.
    func isOverdue(at store: Store) -> Bool {
        sources.subscriptions.contains { each in
            let subscription = each.subscription
            guard each.store == store, subscription.renewsAutomatically, subscription.endedAt == nil else {
                return false
            }
            return (subscription.accessEndsAt ?? subscription.periodEndsAt).map { $0 <= now } ?? false
        }
    }
}

extension [HeldSubscription] {
    /// The one whose paid time ends last.
    fileprivate var latest: HeldSubscription? {
        self.max { left, right in
            (left.end, left.id.description) < (right.end, right.id.description)
        }
    }
}

extension HeldSubscription {
    fileprivate var end: Date { subscription.endedAt ?? subscription.periodEndsAt ?? .distantPast }
}
