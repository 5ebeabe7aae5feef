package import Foundation

extension EntitlementSources {
    /// The entitlement at `now`: the source that takes precedence (`AccessPrecedence`); nil if none gives access.
    package func entitlement(at now: Date) -> Entitlement? {
        guard let best = running(at: now).deciding() else { return nil }
        var entitlement = Entitlement(
            plan: best.plan,
            state: .active,
            source: best.source,
            productID: nil,
            since: best.startsAt,
            until: end(of: best, at: now),
            willRenew: false
        )
        if let subscription = best.subscription {
            entitlement.state = subscription.state(at: now)
            entitlement.productID = subscription.productID
            entitlement.willRenew = subscription.renewsAutomatically
        } else if case .grant(let id) = best.source, grant(id)?.kind == .trial {
            entitlement.state = .trial
        }
        return entitlement
    }

    /// The plans that follow each other from `now` on if no further event comes, until the last known end.
    package func outlook(from now: Date) -> [Stretch] {
        var moments: Set<Date> = [now]
        for subscription in subscriptions {
            let held = subscription.subscription
            moments.formUnion([held.accessStartsAt, held.accessEndsAt].compactMap(\.self))
        }
        for grant in grants { moments.formUnion([grant.startsAt, grant.endsAt, grant.endedAt].compactMap(\.self)) }
        var stretches: [Stretch] = []
        for moment in moments.filter({ $0 >= now }).sorted() {
            let plan = entitlement(at: moment)?.plan
            if stretches.isEmpty || stretches.last?.plan != plan {
                stretches.append(Stretch(from: moment, plan: plan))
            }
        }
        return stretches
    }

    /// A time with one plan, or with none.
    package struct Stretch: Hashable, Sendable {
        package var from: Date
        package var plan: Plan?
    }

    /// One thing that gives access, whatever kind it is.
    private struct Candidate: AccessPrecedence {
        var source: Entitlement.Source
        var plan: Plan
        var startsAt: Date?
        var endsAt: Date?
        var subscription: Subscription?

        var planRank: Int { plan.rank }
        var isGranted: Bool { source.isGrant }
        var names: [String] { [source.key] }
    }

    private func running(at now: Date) -> [Candidate] {
        let running = subscriptions.filter { $0.hasAccess(at: now) }
        // Free sandbox access never takes precedence over a paid subscription, whatever its rank.
        let paid = running.filter { $0.environment == .production }
        return (paid.isEmpty ? running : paid).map {
            Candidate(
                source: .subscription($0.id),
                plan: $0.plan,
                startsAt: [$0.subscription.startedAt, $0.subscription.accessStartsAt].compactMap(\.self).max(),
                endsAt: $0.subscription.accessEndsAt,
                subscription: $0.subscription
            )
        }
            + grants.filter { $0.hasAccess(at: now) }.map {
                Candidate(source: .grant($0.id), plan: $0.plan, startsAt: $0.startsAt, endsAt: $0.endsAt)
            }
    }

    /// Follows what goes on, without a gap, with this plan or a higher one.
    private func end(of best: Candidate, at now: Date) -> Date? {
        guard var end = best.endsAt else { return nil }
        while true {
            let following = running(at: end).filter { $0.plan.rank >= best.plan.rank }
            guard !following.isEmpty else { return end }
            let ends = following.map(\.endsAt)
            if ends.contains(nil) { return nil }
            end = ends.compactMap(\.self).max() ?? end
        }
    }
}
