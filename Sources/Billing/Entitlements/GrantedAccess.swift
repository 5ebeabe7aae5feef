package import Foundation

/// A grant with what the metrics need to know of it.
package struct GrantedAccess: Hashable, Sendable {
    package var id: Grant.ID
    /// The catalogue's key of the plan.
    package var plan: UUID
    package var planRank: Int
    package var startsAt: Date
    /// Exclusive; nil for without end.
    package var endsAt: Date?
    /// When staff ended it before its time.
    package var endedAt: Date?

    package init(id: Grant.ID, plan: UUID, planRank: Int, startsAt: Date, endsAt: Date?, endedAt: Date?) {
        self.id = id
        self.plan = plan
        self.planRank = planRank
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.endedAt = endedAt
    }
}

/// A time in which staff let a subscription give nothing.
package struct SuspendedTime: Hashable, Sendable {
    package var subscription: Subscription.ID
    package var startsAt: Date
    /// Exclusive; nil while it lasts.
    package var endsAt: Date?

    package init(subscription: Subscription.ID, startsAt: Date, endsAt: Date?) {
        self.subscription = subscription
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
