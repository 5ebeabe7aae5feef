import Billing
import Foundation
import HTTP
import Storage

/// The one subscription that the documents' answers are about (product.md, decision 3). It is what decides now among all that a
/// customer holds, else what ended last, else the plan that everybody has.
struct CurrentSubscription: Sendable {
    let session: CustomerSession
    let sources: EntitlementSources
    /// The plan that everybody has; nil for an app without plans.
    let basePlan: String?
    let now: Date
    /// The entitlement that gives access; nil without access.
    let entitlement: Entitlement?
    /// The subscription that decides or ended last; nil where a grant decides, and for a customer who bought nothing.
    let held: HeldSubscription?
    private let standing: CustomerStanding

    init(_ sources: EntitlementSources, of session: CustomerSession, basePlan: String?, at now: Date) {
        (self.session, self.sources, self.basePlan, self.now) = (session, sources, basePlan, now)
        entitlement = sources.entitlement(at: now)
        held =
            switch entitlement?.source {
            case .subscription(let id): sources.subscription(id)
            case .grant: nil
            case nil: sources.latestSubscription
            }
        standing = sources.standing(basePlan: basePlan, at: now)
    }

    /// The plan in the app's own spelling.
    var plan: String? { standing.plan }

    var state: Subscription.State { standing.state }

    /// Of what was bought ahead the time at which it begins.
    var startedAt: Date? {
        entitlement?.since ?? held?.beginning(after: now) ?? held?.subscription.startedAt ?? sources.trial?.startsAt
    }

    /// The end of access; nil also for access without end.
    var expiresAt: Date? { standing.until }

    var willRenew: Bool { entitlement?.willRenew ?? false }

    /// True if nothing was ever bought or given.
    var isBasePlan: Bool { entitlement == nil && held == nil }

    /// The grant that decides; nil where none does.
    var grant: Grant? {
        guard case .grant(let id) = entitlement?.source else { return nil }
        return sources.grant(id)
    }

    /// The id of the subscription or the grant; nil for a customer who never had anything.
    var id: UUID? { held?.id.uuid ?? grant?.id.uuid }

    /// The store where it was bought; nil for a grant of staff, and for a customer who has nothing.
    var store: Store? { entitlement.flatMap { sources.store(of: $0.source) } ?? held?.store }

    /// The store of the subscription that a cancellation means: the one that decides, else the one that they pay for beside it; nil
    /// where there is neither.
    var cancellableStore: Store? {
        if entitlement != nil, let store { return store }
        return renewing?.store
    }

    /// The subscription that our server may cancel at a store: the one that decides, else the one that the customer pays for beside
    /// it.
    var cancellable: HeldSubscription? { entitlement == nil ? renewing : own ?? renewing }

    /// The subscription that decides, where it is not a seat that somebody else pays for.
    private var own: HeldSubscription? { held.flatMap { $0.seat == nil ? $0 : nil } }

    private var renewing: HeldSubscription? {
        let renewing = sources.subscriptions.filter { each in
            each.seat == nil && each.subscription.renewsAutomatically && each.subscription.endedAt == nil
        }
        return renewing.latest
    }

    func latest(at store: Store) -> HeldSubscription? {
        held?.store == store ? held : sources.subscriptions.filter { $0.store == store }.latest
    }

    /// Returns true if a renewal is past due, and the store has not said what became of it.
    func isOverdue(at store: Store) -> Bool {
        sources.subscriptions.contains { each in
            let subscription = each.subscription
            guard each.seat == nil, each.store == store, subscription.renewsAutomatically, subscription.endedAt == nil
            else {
                return false
            }
            return (subscription.accessEndsAt ?? subscription.periodEndsAt).map { $0 <= now } ?? false
        }
    }
}

extension [HeldSubscription] {
    /// The subscription whose paid time ends last.
    fileprivate var latest: HeldSubscription? {
        self.max { left, right in
            (left.end ?? .distantPast, left.id.description) < (right.end ?? .distantPast, right.id.description)
        }
    }
}
