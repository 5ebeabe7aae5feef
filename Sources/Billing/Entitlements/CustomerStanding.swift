package import Foundation

/// A customer's plan, its state and its end, as every page, answer and file says them (product.md, decision 3): what decides now among all
/// that they hold; else what ended last, with the plan that everybody has; else that plan alone.
package struct CustomerStanding: Hashable, Sendable {
    /// The code of the plan; nil for an app without plans.
    package var plan: String?
    package var state: Subscription.State
    /// The end of access, in the past for what is over; nil for access without end, and for who never had anything.
    package var until: Date?
    /// False for the plan that everybody has.
    package var hasAccess: Bool

    package init(plan: String?, state: Subscription.State, until: Date?, hasAccess: Bool) {
        (self.plan, self.state, self.until, self.hasAccess) = (plan, state, until, hasAccess)
    }
}

extension EntitlementSources {
    /// - Parameter basePlan: the code of the plan that everybody has; nil for an app without plans.
    package func standing(basePlan: String?, at now: Date) -> CustomerStanding {
        if let entitlement = entitlement(at: now) {
            return CustomerStanding(
                plan: entitlement.plan.code,
                state: entitlement.state,
                until: entitlement.until,
                hasAccess: true
            )
        }
        if let last = latestSubscription {
            return CustomerStanding(
                plan: basePlan,
                state: last.standing(at: now),
                until: last.suspendedAt ?? last.end,
                hasAccess: false
            )
        }
        let given = grants.filter { $0.kind != .trial && $0.isOver(at: now) }
        if !given.isEmpty {
            let end = given.compactMap(\.end).max()
            return CustomerStanding(plan: basePlan, state: .expired, until: end, hasAccess: false)
        }
        let state = trial?.trialState(at: now) ?? .active
        return CustomerStanding(plan: basePlan, state: state, until: trial?.end, hasAccess: false)
    }

    /// The subscription whose paid time ends last; nil for a customer who bought nothing.
    package var latestSubscription: HeldSubscription? {
        subscriptions.max { left, right in
            (left.end ?? .distantPast, left.id.description) < (right.end ?? .distantPast, right.id.description)
        }
    }
}

extension Grant {
    /// The planned end, or the one that came before it.
    fileprivate var end: Date? { [endsAt, endedAt].compactMap(\.self).min() }

    fileprivate func isOver(at now: Date) -> Bool {
        switch state(at: now) {
        case .over, .withdrawn: true
        case .scheduled, .running: false
        }
    }
}

extension HeldSubscription {
    package var end: Date? { subscription.endedAt ?? subscription.periodEndsAt }

    /// The state of its access: revoked where staff took it away, whatever the store says.
    package func standing(at now: Date) -> Subscription.State {
        suspendedAt == nil ? subscription.state(at: now) : .revoked
    }
}
