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
    /// The time of an early end, by staff or by a purchase.
    package var endedAt: Date?
    /// True if the app gave it as a trial.
    package var isTrial: Bool
    /// Of a trial: the time from which the customer has their purchase made during it.
    package var convertedAt: Date?
    /// True if another trial of the same person counts in its place.
    package var isSuperseded: Bool

    package init(
        id: Grant.ID,
        plan: UUID,
        planRank: Int,
        startsAt: Date,
        endsAt: Date?,
        endedAt: Date?,
        isTrial: Bool = false,
        convertedAt: Date? = nil,
        isSuperseded: Bool = false
    ) {
        self.id = id
        self.plan = plan
        self.planRank = planRank
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.endedAt = endedAt
        self.isTrial = isTrial
        self.convertedAt = convertedAt
        self.isSuperseded = isSuperseded
    }

    /// The end of its access; nil for none.
    var lastsUntil: Date? { [endsAt, endedAt].compactMap(\.self).min() }

    /// The same trial after the customer's purchases: it ends at the first access that they give. An end by staff is left alone.
    ///
    /// - Parameter bought: the customer's stretches of access from stores.
    /// - Returns: nil if nothing changes.
    package func converted(by bought: [AccessPeriod]) -> GrantedAccess? {
        guard isTrial, !isSuperseded, endedAt == nil || convertedAt != nil, let endsAt else { return nil }
        let moment = bought.filter { period in
            !period.isFamilyShared && period.startsAt < endsAt && period.endsAt.map { $0 > startsAt } ?? true
        }.map { Swift.max($0.startsAt, startsAt) }.min()
        guard moment != convertedAt else { return nil }
        var next = self
        (next.endedAt, next.convertedAt) = (moment, moment)
        return next
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
