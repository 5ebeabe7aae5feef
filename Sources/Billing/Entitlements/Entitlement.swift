package import Foundation

/// A customer's current entitlement: derived from all of its sources, never stored as the truth (product.md, decision 3).
package struct Entitlement: Hashable, Sendable {
    package var plan: Plan
    /// The state at the requested moment; `active` for a grant, `trial` for a trial of the app.
    package var state: Subscription.State
    package var source: Source
    /// The store's product of the current period.
    package var productID: String?
    package var since: Date?
    /// The end of unbroken access to this plan or a higher one if no further event comes; nil for access without end.
    package var until: Date?
    package var willRenew: Bool

    /// The source of the access.
    package enum Source: Hashable, Sendable {
        case subscription(Subscription.ID)
        case grant(Grant.ID)

        var isGrant: Bool {
            switch self {
            case .subscription: false
            case .grant: true
            }
        }

        /// The id alone.
        var key: String {
            switch self {
            case .subscription(let id): id.description
            case .grant(let id): id.description
            }
        }
    }

    package init(
        plan: Plan,
        state: Subscription.State,
        source: Source,
        productID: String?,
        since: Date?,
        until: Date?,
        willRenew: Bool
    ) {
        self.plan = plan
        self.state = state
        self.source = source
        self.productID = productID
        self.since = since
        self.until = until
        self.willRenew = willRenew
    }

    /// The entitlement from subscriptions alone at `now`; nil if none of them gives access.
    package static func current(
        of candidates: some Sequence<(Subscription.ID, Subscription, Plan)>,
        at now: Date
    ) -> Entitlement? {
        EntitlementSources(
            customer: Customer.nobody,
            subscriptions: candidates.map { HeldSubscription(id: $0, subscription: $1, plan: $2) }
        ).entitlement(at: now)
    }
}
