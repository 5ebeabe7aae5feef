import Billing
import Foundation
import Testing

/// What must hold for everybody, whatever they hold and whatever staff do.
@Suite("properties of entitlement sources")
struct EntitlementPropertyTests {
    static let seeds: Range<UInt64> = 0..<3_000
    static let now = RandomEntitlementSources.now
    static let moments = (0...60).map { Date.day(100 + Double($0) * 2.5) }

    @Test("grants never shorten or lower what is paid")
    func grantsOnlyAdd() {
        for seed in Self.seeds {
            let sources = RandomEntitlementSources(seed: seed).sources
            for moment in Self.moments {
                let (all, paid) = (sources.entitlement(at: moment), sources.paid.entitlement(at: moment))
                #expect(sources.rank(at: moment) >= sources.paid.rank(at: moment), "seed \(seed)")
                guard let all, let paid, all.plan.rank == paid.plan.rank else { continue }
                #expect((all.until ?? .distantFuture) >= (paid.until ?? .distantFuture), "seed \(seed)")
            }
        }
    }

    @Test("giving, extending and lifting never lower anything at any moment, and add something")
    func givingOnlyAdds() {
        var decided = 0
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            let plan = life.plan()
            for action: EntitlementAction in [
                .grant(plan, .days(30)), .grant(plan, .withoutEnd), .extendCurrent(days: 30),
            ] {
                guard let decision = life.decide(action) else { continue }
                decided += 1
                for moment in Self.moments {
                    #expect(decision.after.rank(at: moment) >= life.sources.rank(at: moment), "seed \(seed) \(action)")
                }
                #expect(decision.after.paid == life.sources.paid, "seed \(seed)")
            }
        }
        #expect(decided > 3_000)
    }

    @Test("an extension lengthens what it extends by exactly its days")
    func extensionsAreExact() {
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            guard let before = life.sources.entitlement(at: Self.now),
                let decision = life.decide(.extendCurrent(days: 7)),
                let old = before.until, case .movedEnd(_, let from, let to, _)? = decision.changes.first
            else { continue }
            #expect(to == from?.addingTimeInterval(7 * 86_400), "seed \(seed)")
            let new = decision.after.entitlement(at: Self.now)?.until
            #expect(new.map { $0 >= old } ?? true, "seed \(seed)")
        }
    }

    @Test("ending a grant falls back to what there is without it")
    func endingFallsBack() {
        var ended = 0
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            for grant in life.sources.grants {
                guard let decision = life.decide(.revoke(.grant(grant.id))) else { continue }
                ended += 1
                var without = life.sources
                without.grants.removeAll { $0.id == grant.id }
                for moment in Self.moments {
                    #expect(
                        decision.after.entitlement(at: moment) == without.entitlement(at: moment),
                        "seed \(seed) at \(moment)"
                    )
                }
            }
        }
        #expect(ended > 1_000)
    }

    @Test("what was done is undone exactly, one action after the other")
    func undo() {
        var undone = 0
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            var states = [life.sources]
            var done: [[EntitlementEffect]] = []
            for _ in 0..<5 {
                let action = life.action()
                guard let decision = life.decide(action), !decision.transfers else { continue }
                done.append(decision.changes)
                life.sources = decision.after
                states.append(decision.after)
            }
            for changes in done.reversed() {
                states.removeLast()
                guard let decision = life.decide(.undo(changes)) else {
                    Issue.record("seed \(seed): \(changes) is not undone")
                    break
                }
                undone += 1
                life.sources = decision.after
                for moment in Self.moments {
                    #expect(
                        life.sources.entitlement(at: moment) == states.last?.entitlement(at: moment),
                        "seed \(seed) at \(moment)"
                    )
                }
            }
        }
        #expect(undone > 3_000)
    }

    @Test("what somebody has changed since is not undone")
    func undoOfWhatChanged() {
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            guard let given = life.decide(.grant(life.plan(), .days(900))), case .gave(let grant)? = given.changes.first
            else { continue }
            life.sources = given.after
            guard let extended = life.decide(.extend(.grant(grant.id), days: 3)) else { continue }
            life.sources = extended.after
            #expect(throws: ActionRefused(.changedSince), "seed \(seed)") {
                try life.sources.decide(.undo(given.changes), at: Self.now) { Grant.ID(UUID()) }
            }
        }
    }

    @Test("no access after the last end of what is held")
    func noAccessAfterTheEnd() {
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            if let decision = life.decide(life.action()) { life.sources = decision.after }
            for moment in Self.moments {
                guard let entitlement = life.sources.entitlement(at: moment) else { continue }
                let grantCovers = life.sources.grants.contains {
                    $0.plan == entitlement.plan && $0.startsAt <= moment && ($0.endsAt ?? .distantFuture) > moment
                        && $0.endedAt == nil
                }
                let storeCovers = life.sources.subscriptions.contains {
                    $0.plan == entitlement.plan && $0.suspendedAt == nil && $0.subscription.hasAccess(at: moment)
                }
                #expect(grantCovers || storeCovers, "seed \(seed) at \(moment)")
                guard let until = entitlement.until else { continue }
                #expect(until > moment, "seed \(seed) at \(moment)")
                #expect(life.sources.rank(at: until) < entitlement.plan.rank, "seed \(seed): it ends when it says")
            }
        }
    }

    @Test("the outlook says what each moment has")
    func outlook() {
        for seed in Self.seeds {
            let sources = RandomEntitlementSources(seed: seed).sources
            let stretches = sources.outlook(from: Self.now)
            for moment in Self.moments {
                let plan = stretches.last { $0.from <= moment }?.plan
                #expect(plan == sources.entitlement(at: moment)?.plan, "seed \(seed) at \(moment)")
            }
        }
    }

    @Test("any change shows in the fingerprint, and the order of the rows does not")
    func fingerprints() {
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            var shuffled = life.sources
            shuffled.grants.shuffle(using: &life.random)
            shuffled.subscriptions.shuffle(using: &life.random)
            #expect(shuffled.fingerprint == life.sources.fingerprint, "seed \(seed)")
            guard let decision = life.decide(life.action()) else { continue }
            #expect(decision.after.fingerprint != life.sources.fingerprint, "seed \(seed)")
        }
    }

    @Test("within a limit of days nobody gets more ahead than that")
    func limits() {
        var (allowed, refused) = (0, 0)
        for seed in Self.seeds {
            var life = RandomEntitlementSources(seed: seed)
            for _ in 0..<4 {
                guard let decision = life.decide(life.action(), within: .days(30)) else {
                    refused += 1
                    continue
                }
                let before = life.sources.grants.map { $0.timeAhead(at: Self.now) ?? .infinity }.reduce(0, +)
                let after = decision.after.grants.map { $0.timeAhead(at: Self.now) ?? .infinity }.reduce(0, +)
                #expect(after <= max(before, 30 * 86_400), "seed \(seed)")
                allowed += 1
                life.sources = decision.after
            }
        }
        #expect(allowed > 1_000)
        #expect(refused > 1_000)
    }
}

extension EntitlementDecision {
    fileprivate var transfers: Bool {
        changes.contains { if case .transferred = $0 { true } else { false } }
    }
}
