package import Foundation

/// What a customer may use now: derived from all their subscriptions, never stored as the truth (product.md, decision 3).
package struct Entitlement: Hashable, Sendable {
    package var plan: Plan
    /// The state at the moment asked about.
    package var state: Subscription.State
    /// The subscription that gives it.
    package var source: Subscription.ID
    /// The store's product of the current period.
    package var productID: String?
    package var since: Date?
    /// The end of access if no further event comes; nil for access without end.
    package var until: Date?
    package var willRenew: Bool

    package init(
        plan: Plan,
        state: Subscription.State,
        source: Subscription.ID,
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

    /// The highest rank among the subscriptions that give access at `now`, then the latest end (none is latest), then the
    /// plan's code and the smaller id, so that the answer never depends on the order of the rows. nil: nothing gives access.
    package static func current(
        of candidates: some Sequence<(Subscription.ID, Subscription, Plan)>,
        at now: Date
    ) -> Entitlement? {
        candidates
            .filter { _, subscription, _ in subscription.hasAccess(at: now) }
            .max { isLess($0, than: $1) }
            .map { Entitlement($0, $1, $2, at: now) }
    }

    private init(_ id: Subscription.ID, _ subscription: Subscription, _ plan: Plan, at now: Date) {
        self.plan = plan
        state = subscription.state(at: now)
        source = id
        productID = subscription.productID
        since = subscription.startedAt
        until = subscription.accessEndsAt
        willRenew = subscription.renewsAutomatically
    }

    private static func isLess(
        _ left: (Subscription.ID, Subscription, Plan),
        than right: (Subscription.ID, Subscription, Plan)
    ) -> Bool {
        if left.2.rank != right.2.rank { return left.2.rank < right.2.rank }
        let (leftEnd, rightEnd) = (left.1.accessEndsAt ?? .distantFuture, right.1.accessEndsAt ?? .distantFuture)
        if leftEnd != rightEnd { return leftEnd < rightEnd }
        if left.2.code != right.2.code { return left.2.code < right.2.code }
        return left.0.description > right.0.description
    }
}
