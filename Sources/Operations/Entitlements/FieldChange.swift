package import Billing
package import Foundation

/// One thing about a customer's access that an action changes.
package struct FieldChange: Hashable, Sendable {
    package var field: Field
    package var before: Value
    package var after: Value

    package enum Field: Hashable, Sendable {
        case plan
        case until
        case source
        /// The access that follows the current plan.
        case next
        case grant(Grant.ID)
        case subscription(Subscription.ID)
        /// The owner of the subscription.
        case holder(Subscription.ID)
        /// The plan of the customer who receives a transferred subscription.
        case receiverPlan
    }

    package enum Value: Hashable, Sendable {
        case none
        case plan(String)
        case moment(Date)
        case noEnd
        case store(Store)
        case given
        /// A plan, or none, from a moment on.
        case from(Date, plan: String?)
        /// The store is to charge again at that moment, and goes on.
        case renewal(Date)
        /// A grant's plan, beginning and end.
        case span(plan: String, Date, Date?)
        case ended(Date)
        case counts
        case suspended
        case customer(Customer.ID)
    }
}

extension FieldChange {
    /// The differences between two entitlement sources of one customer, with the objects that were changed.
    static func differences(
        of decision: EntitlementDecision,
        receiver: (before: EntitlementSources, after: EntitlementSources)?,
        at now: Date
    ) -> [FieldChange] {
        let (before, after) = (decision.before, decision.after)
        let (old, new) = (before.entitlement(at: now), after.entitlement(at: now))
        var facts = [
            FieldChange(
                field: .plan,
                before: old.map { .plan($0.plan.code) } ?? .none,
                after: new.map { .plan($0.plan.code) } ?? .none
            ),
            FieldChange(field: .until, before: end(of: old), after: end(of: new)),
            FieldChange(field: .source, before: source(of: old, in: before), after: source(of: new, in: after)),
            FieldChange(field: .next, before: next(before, at: now), after: next(after, at: now)),
        ]
        facts += decision.changes.compactMap { fact(of: $0, in: before) }
        if let receiver {
            facts.append(
                FieldChange(
                    field: .receiverPlan,
                    before: receiver.before.entitlement(at: now).map { .plan($0.plan.code) } ?? .none,
                    after: receiver.after.entitlement(at: now).map { .plan($0.plan.code) } ?? .none
                )
            )
        }
        return facts.filter { $0.before != $0.after }
    }

    private static func end(of entitlement: Entitlement?) -> Value {
        guard let entitlement else { return .none }
        return entitlement.until.map { .moment($0) } ?? .noEnd
    }

    private static func source(of entitlement: Entitlement?, in entitlementSources: EntitlementSources) -> Value {
        switch entitlement?.source {
        case nil: .none
        case .grant: .given
        case .subscription(let id): entitlementSources.subscription(id).map { .store($0.store) } ?? .none
        }
    }

    private static func next(_ entitlementSources: EntitlementSources, at now: Date) -> Value {
        guard let stretch = entitlementSources.outlook(from: now).dropFirst().first else { return .none }
        let last = entitlementSources.entitlement(at: stretch.from.addingTimeInterval(-0.001))
        if stretch.plan == nil, last?.willRenew == true { return .renewal(stretch.from) }
        return .from(stretch.from, plan: stretch.plan?.code)
    }

    private static func fact(of change: EntitlementEffect, in before: EntitlementSources) -> FieldChange? {
        func span(_ id: Grant.ID, ending end: Date?? = nil) -> Value {
            before.grant(id).map { .span(plan: $0.plan.code, $0.startsAt, end ?? $0.endsAt) } ?? .none
        }
        switch change {
        case .gave(let grant):
            return FieldChange(
                field: .grant(grant.id),
                before: .none,
                after: .span(plan: grant.plan.code, grant.startsAt, grant.endsAt)
            )
        case .ended(let id, let moment, _):
            return FieldChange(field: .grant(id), before: span(id), after: .ended(moment))
        case .reopened(let id, let moment, _):
            return FieldChange(field: .grant(id), before: .ended(moment), after: span(id))
        case .movedEnd(let id, let old, let new, _):
            return FieldChange(
                field: .grant(id),
                before: span(id, ending: .some(old)),
                after: span(id, ending: .some(new))
            )
        case .suspended(let id, _):
            return FieldChange(field: .subscription(id), before: .counts, after: .suspended)
        case .restored(let id, _):
            return FieldChange(field: .subscription(id), before: .suspended, after: .counts)
        case .transferred(let id, let old, let new, _, _):
            return FieldChange(field: .holder(id), before: .customer(old), after: .customer(new))
        }
    }
}
