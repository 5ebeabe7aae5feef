package import Foundation

/// An action of staff on one customer's access.
package enum EntitlementAction: Hashable, Sendable {
    /// Gives a plan from now on.
    case grant(Plan, Term)
    /// Moves the end of a grant, or has a grant go on where a subscription ends.
    case extend(Entitlement.Source, days: Int)
    /// The same for the source of the current access.
    case extendCurrent(days: Int)
    /// Ends a grant, or lets a subscription give nothing (the store's state is left alone).
    case revoke(Entitlement.Source)
    /// Revokes all sources of access, present and future.
    case revokeAll
    /// Undoes a revocation.
    case restore(Entitlement.Source)
    /// Puts a grant on another plan, or lifts a subscription to a higher one until its end.
    case changeTier(Entitlement.Source, to: Plan)
    /// Changes the tier of the source of the current access.
    case changeCurrentTier(to: Plan)
    /// Transfers a subscription, with the grants that follow it, to another customer.
    case transfer(Subscription.ID, to: Customer.ID)
    /// Has nothing go on after the present end.
    case cancelAtPeriodEnd(Entitlement.Source)
    /// Takes back what an earlier action did.
    case undo([EntitlementEffect])

    /// The term of a grant.
    package enum Term: Hashable, Sendable {
        case days(Int)
        case until(Date)
        case withoutEnd
    }

    package static let longestDays = 3_650
}

/// The limit on the access that a person may grant.
package enum GrantAuthority: Hashable, Sendable {
    case unlimited
    /// After the action, all granted time that the customer has ahead is at most this many days.
    case days(Int)
}

/// The result of an action.
package struct EntitlementDecision: Hashable, Sendable {
    package var before: EntitlementSources
    package var after: EntitlementSources
    package var changes: [EntitlementEffect]

    /// True if it takes away access that a store was paid for.
    package var revokesPaid: Bool {
        changes.contains { if case .suspended = $0 { true } else { false } }
    }
}
