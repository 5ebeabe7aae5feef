package import Foundation

extension EntitlementSources {
    /// Decides what an action comes to at `now`.
    ///
    /// - Parameter newID: gives the keys of grants that it makes.
    package func decide(
        _ action: EntitlementAction,
        at now: Date,
        within authority: GrantAuthority = .unlimited,
        newID: () -> Grant.ID
    ) throws(ActionRefused) -> EntitlementDecision {
        let changes = try changes(of: action, at: now, newID)
        let decision = EntitlementDecision(before: self, after: applying(changes), changes: changes)
        try check(decision, against: authority, at: now)
        return decision
    }

    private func changes(
        of action: EntitlementAction,
        at now: Date,
        _ newID: () -> Grant.ID
    ) throws(ActionRefused) -> [EntitlementEffect] {
        switch action {
        case .grant(let plan, let term): return try giving(plan, term, at: now, newID)
        case .extend(let source, let days): return try extending(source, days, at: now, newID)
        case .extendCurrent(let days): return try extending(try current(at: now), days, at: now, newID)
        case .revoke(let source): return try revoking(source, at: now)
        case .revokeAll: return try revokingAll(at: now)
        case .restore(let source): return try restoring(source, at: now)
        case .changeTier(let source, let plan): return try changing(source, to: plan, at: now, newID)
        case .changeCurrentTier(let plan): return try changing(try current(at: now), to: plan, at: now, newID)
        case .transfer(let id, let receiver): return try transferring(id, to: receiver)
        case .cancelAtPeriodEnd(let source): return try cancelling(source, at: now)
        case .undo(let done):
            var changes: [EntitlementEffect] = []
            for change in done.reversed() { changes.append(try applying(changes).inverse(of: change, at: now)) }
            return changes
        }
    }

    /// The source of the current access.
    ///
    /// - Throws: `ActionRefused` with `.nothingRuns`.
    package func current(at now: Date) throws(ActionRefused) -> Entitlement.Source {
        guard let source = entitlement(at: now)?.source else { throw ActionRefused(.nothingRuns) }
        return source
    }

    private func giving(
        _ plan: Plan,
        _ term: EntitlementAction.Term,
        at now: Date,
        _ newID: () -> Grant.ID
    ) throws(ActionRefused) -> [EntitlementEffect] {
        guard plan.rank > 0 else { throw ActionRefused(.planIsFree, plan: plan) }
        let end: Date?
        switch term {
        case .days(let days): end = try now.addingTimeInterval(Self.seconds(in: days))
        case .until(let date):
            guard date > now, date <= now.addingTimeInterval(Double(EntitlementAction.longestDays) * 86_400) else {
                throw ActionRefused(.endOutOfRange)
            }
            end = date
        case .withoutEnd: end = nil
        }
        let change = EntitlementEffect.gave(
            Grant(id: newID(), plan: plan, kind: .complimentary, startsAt: now, endsAt: end)
        )
        guard gains(from: [change], at: now) else { throw ActionRefused(.changesNothing, plan: plan) }
        return [change]
    }

    private func extending(
        _ source: Entitlement.Source,
        _ days: Int,
        at now: Date,
        _ newID: () -> Grant.ID
    ) throws(ActionRefused) -> [EntitlementEffect] {
        let added = try Self.seconds(in: days)
        switch source {
        case .grant(let id):
            let grant = try live(id, at: now)
            guard let end = grant.endsAt else { throw ActionRefused(.hasNoEnd) }
            // A trial is as long as the app says; what staff add to it they give.
            if grant.kind == .trial {
                let start = grants.filter { given in
                    given.kind == .complimentary && given.plan == grant.plan && given.isLive(at: now)
                }.compactMap(\.endsAt).reduce(end, max)
                return [
                    .gave(
                        Grant(
                            id: newID(),
                            plan: grant.plan,
                            kind: .complimentary,
                            startsAt: start,
                            endsAt: try Self.end(start, plus: added)
                        )
                    )
                ]
            }
            return [.movedEnd(id, from: end, to: try Self.end(end, plus: added), version: grant.version + 1)]
        case .subscription(let id):
            let held = try running(id, at: now)
            guard let paidEnd = held.subscription.accessEndsAt else { throw ActionRefused(.hasNoEnd) }
            // A second extension goes on where the first one ends.
            if let last = extensions(of: id, at: now).last, let end = last.endsAt {
                return [.movedEnd(last.id, from: end, to: try Self.end(end, plus: added), version: last.version + 1)]
            }
            let grant = Grant(
                id: newID(),
                plan: held.plan,
                kind: .extension,
                startsAt: paidEnd,
                endsAt: try Self.end(paidEnd, plus: added),
                follows: id
            )
            guard gains(from: [.gave(grant)], at: now) else { throw ActionRefused(.changesNothing, plan: held.plan) }
            return [.gave(grant)]
        }
    }

    private func revoking(_ source: Entitlement.Source, at now: Date) throws(ActionRefused) -> [EntitlementEffect] {
        switch source {
        case .grant(let id):
            let grant = try live(id, at: now)
            return [.ended(id, at: now, version: grant.version + 1)]
        case .subscription(let id):
            _ = try running(id, at: now)
            return [.suspended(id, at: now)]
                + grants.filter { $0.follows == id && $0.isLive(at: now) }.map {
                    .ended($0.id, at: now, version: $0.version + 1)
                }
        }
    }

    private func revokingAll(at now: Date) throws(ActionRefused) -> [EntitlementEffect] {
        guard !subscriptions.contains(where: { $0.seat != nil && $0.isLive(at: now) }) else {
            throw ActionRefused(.isSeat)
        }
        let changes: [EntitlementEffect] =
            subscriptions.filter { $0.isLive(at: now) }.map { .suspended($0.id, at: now) }
            + grants.filter { $0.isLive(at: now) }.map { .ended($0.id, at: now, version: $0.version + 1) }
        guard !changes.isEmpty else { throw ActionRefused(.nothingRuns) }
        return changes
    }

    private func restoring(_ source: Entitlement.Source, at now: Date) throws(ActionRefused) -> [EntitlementEffect] {
        switch source {
        case .grant(let id):
            guard let grant = grant(id) else { throw ActionRefused(.notHeld) }
            guard let endedAt = grant.endedAt else { throw ActionRefused(.notRevoked) }
            // The customer has bought instead, or has another trial.
            guard grant.convertedAt == nil, grant.supersededAt == nil else { throw ActionRefused(.isOver) }
            guard grant.endsAt.map({ $0 > now }) ?? true else { throw ActionRefused(.isOver) }
            return [.reopened(id, endedAt: endedAt, version: grant.version + 1)]
        case .subscription(let id):
            let held = try own(id)
            guard let suspendedAt = held.suspendedAt else { throw ActionRefused(.notRevoked) }
            return [.restored(id, suspendedAt: suspendedAt)]
                + grants.filter { $0.follows == id && $0.endedAt == suspendedAt }.map {
                    .reopened($0.id, endedAt: suspendedAt, version: $0.version + 1)
                }
        }
    }

    private func changing(
        _ source: Entitlement.Source,
        to plan: Plan,
        at now: Date,
        _ newID: () -> Grant.ID
    ) throws(ActionRefused) -> [EntitlementEffect] {
        switch source {
        case .grant(let id):
            // Without a plan that was given, there is the one that everybody has, or what the customer pays for.
            guard plan.rank > 0 else { return try revoking(source, at: now) }
            let old = try live(id, at: now)
            guard old.plan != plan else { throw ActionRefused(.samePlan, plan: plan) }
            var new = old
            (new.id, new.plan, new.version) = (newID(), plan, 1)
            new.startsAt = max(old.startsAt, now)
            // A trial is of one plan; what staff make of it they give.
            if old.kind == .trial { new.kind = .complimentary }
            return [.ended(id, at: now, version: old.version + 1), .gave(new)]
        case .subscription(let id):
            guard plan.rank > 0 else { throw ActionRefused(.planIsFree, plan: plan) }
            let held = try running(id, at: now)
            guard plan.rank > held.plan.rank else { throw ActionRefused(.notAbovePaid, plan: held.plan) }
            let grant = Grant(
                id: newID(),
                plan: plan,
                kind: .upgrade,
                startsAt: held.beginning(after: now) ?? now,
                endsAt: held.subscription.accessEndsAt,
                follows: id
            )
            guard gains(from: [.gave(grant)], at: now) else { throw ActionRefused(.changesNothing, plan: plan) }
            return [.gave(grant)]
        }
    }

    private func transferring(
        _ id: Subscription.ID,
        to receiver: Customer.ID
    ) throws(ActionRefused) -> [EntitlementEffect] {
        let held = try own(id)
        guard receiver != customer else { throw ActionRefused(.sameCustomer) }
        return [.transferred(id, from: customer, to: receiver, wasPinned: held.isOwnerLocked, isOwnerLocked: true)]
    }

    private func cancelling(_ source: Entitlement.Source, at now: Date) throws(ActionRefused) -> [EntitlementEffect] {
        switch source {
        case .subscription(let id):
            let held = try own(id)
            throw ActionRefused(.onlyAtStore, store: held.store)
        case .grant(let id):
            let grant = try live(id, at: now)
            guard let end = grant.endsAt else { throw ActionRefused(.hasNoEnd) }
            let later = grants.filter { $0.id != id && $0.state(at: now) == .scheduled && $0.startsAt <= end }
            guard !later.isEmpty else { throw ActionRefused(.nothingFollows) }
            return later.map { .ended($0.id, at: now, version: $0.version + 1) }
        }
    }

    private func live(_ id: Grant.ID, at now: Date) throws(ActionRefused) -> Grant {
        guard let grant = grant(id) else { throw ActionRefused(.notHeld) }
        switch grant.state(at: now) {
        case .scheduled, .running: return grant
        case .over: throw ActionRefused(.isOver)
        case .withdrawn: throw ActionRefused(.alreadyRevoked)
        }
    }

    private func running(_ id: Subscription.ID, at now: Date) throws(ActionRefused) -> HeldSubscription {
        let held = try own(id)
        guard held.suspendedAt == nil else { throw ActionRefused(.alreadyRevoked) }
        guard held.isLive(at: now) else { throw ActionRefused(.isOver) }
        return held
    }

    /// Actions on a seat are taken on the purchaser's subscription, or on the claim.
    private func own(_ id: Subscription.ID) throws(ActionRefused) -> HeldSubscription {
        guard let held = subscription(id) else { throw ActionRefused(.notHeld) }
        guard held.seat == nil else { throw ActionRefused(.isSeat) }
        return held
    }

    private func extensions(of id: Subscription.ID, at now: Date) -> [Grant] {
        grants
            .filter { $0.follows == id && $0.kind == .extension && $0.state(at: now) == .scheduled }
            .sorted { ($0.endsAt ?? .distantFuture) < ($1.endsAt ?? .distantFuture) }
    }

    /// True if at any moment the customer has a higher plan with the changes than without them.
    private func gains(from changes: [EntitlementEffect], at now: Date) -> Bool {
        let with = applying(changes)
        let moments = Set(outlook(from: now).map(\.from) + with.outlook(from: now).map(\.from))
        return moments.contains { moment in
            (with.entitlement(at: moment)?.plan.rank ?? 0) > (entitlement(at: moment)?.plan.rank ?? 0)
        }
    }

    private func check(
        _ decision: EntitlementDecision,
        against authority: GrantAuthority,
        at now: Date
    ) throws(ActionRefused) {
        guard case .days(let limit) = authority else { return }
        let (before, after) = (decision.before.timeGiven(at: now), decision.after.timeGiven(at: now))
        let isMore = after.map { $0 > before ?? .infinity } ?? (before != nil)
        guard isMore else { return }
        guard let after, after <= Double(limit) * 86_400 else { throw ActionRefused(.aboveLimit, days: limit) }
    }

    /// All that staff gave and still runs or will; nil when some of it has no end.
    private func timeGiven(at now: Date) -> TimeInterval? {
        let ahead = grants.filter { $0.kind != .trial }.map { $0.timeAhead(at: now) }
        return ahead.contains(nil) ? nil : ahead.compactMap(\.self).reduce(0, +)
    }

    private static func seconds(in days: Int) throws(ActionRefused) -> TimeInterval {
        guard (1...EntitlementAction.longestDays).contains(days) else { throw ActionRefused(.daysOutOfRange) }
        return Double(days) * 86_400
    }

    /// - Throws: `.endOutOfRange` for a day that no store tells of either.
    private static func end(_ end: Date, plus seconds: TimeInterval) throws(ActionRefused) -> Date {
        let moved = end.addingTimeInterval(seconds)
        guard moved <= StoreEvent.possibleDates.upperBound else { throw ActionRefused(.endOutOfRange) }
        return moved
    }
}

extension Grant {
    /// True if it gives its plan now or will later.
    package func isLive(at now: Date) -> Bool {
        switch state(at: now) {
        case .scheduled, .running: true
        case .over, .withdrawn: false
        }
    }
}
