import Billing
import Foundation

/// A customer with some subscriptions and grants, the same for the same seed. "Now" is day 100.
struct RandomEntitlementSources {
    static let now = Date.day(100)
    static let plans = [
        Plan(code: "PRO", rank: 1), Plan(code: "PREMIUM", rank: 2), Plan(code: "TEAM", rank: 3),
    ]

    var random: SplitMix64
    var sources: EntitlementSources
    private var ids: UInt8 = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        sources = EntitlementSources(customer: Customer.ID(UUID()))
        for _ in 0..<Int.random(in: 0...3, using: &random) { sources.subscriptions.append(subscription()) }
        for _ in 0..<Int.random(in: 0...4, using: &random) { sources.grants.append(grant()) }
    }

    mutating func newUUID() -> UUID {
        ids += 1
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, ids))
    }

    mutating func plan() -> Plan {
        Self.plans[Int.random(in: 0..<Self.plans.count, using: &random)]
    }

    mutating func moment() -> Date {
        // Often the same, so that ends and starts touch.
        .day(Double(Int.random(in: 10...20, using: &random) * 10))
    }

    private mutating func subscription() -> HeldSubscription {
        var subscription = Subscription()
        let states = Subscription.State.allCases
        subscription.state =
            random.happens(60) ? .active : states[Int.random(in: 0..<states.count, using: &random)]
        subscription.startedAt = .day(50)
        subscription.periodStartsAt = .day(70)
        subscription.periodEndsAt = random.happens(15) ? nil : moment()
        subscription.gracePeriodEndsAt = random.happens(20) ? moment() : nil
        subscription.renewsAutomatically = random.happens(50)
        return HeldSubscription(
            id: Subscription.ID(newUUID()),
            subscription: subscription,
            plan: plan(),
            suspendedAt: random.happens(15) ? .day(90) : nil
        )
    }

    private mutating func grant() -> Grant {
        let start = random.happens(60) ? Date.day(80) : moment()
        let end = start.addingTimeInterval(Double(Int.random(in: 1...8, using: &random)) * 864_000)
        let followed = sources.subscriptions.first { _ in random.happens(30) }?.id
        return Grant(
            id: Grant.ID(newUUID()),
            plan: plan(),
            kind: followed == nil ? .complimentary : .extension,
            startsAt: start,
            endsAt: random.happens(10) ? nil : end,
            endedAt: random.happens(15) ? .day(90) : nil,
            follows: followed,
            version: Int.random(in: 1...3, using: &random)
        )
    }

    /// Something that staff might try, whether it can be or not.
    mutating func action() -> EntitlementAction {
        let days = Int.random(in: 1...60, using: &random)
        let source = source()
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: return .grant(plan(), .days(days))
        case 2: return .grant(plan(), random.happens(70) ? .until(moment()) : .withoutEnd)
        case 3, 4: return source.map { .extend($0, days: days) } ?? .extendCurrent(days: days)
        case 5: return source.map { .revoke($0) } ?? .revokeAll
        case 6: return random.happens(50) ? .revokeAll : .extendCurrent(days: days)
        case 7: return source.map { .restore($0) } ?? .revokeAll
        case 8: return source.map { .changeTier($0, to: plan()) } ?? .changeCurrentTier(to: plan())
        case 9: return source.map { .cancelAtPeriodEnd($0) } ?? .revokeAll
        default:
            return sources.subscriptions.first.map { .transfer($0.id, to: Customer.ID(newUUID())) }
                ?? .changeCurrentTier(to: plan())
        }
    }

    private mutating func source() -> Entitlement.Source? {
        let all =
            sources.subscriptions.map { Entitlement.Source.subscription($0.id) }
            + sources.grants.map { Entitlement.Source.grant($0.id) }
        return all.isEmpty ? nil : all[Int.random(in: 0..<all.count, using: &random)]
    }

    mutating func decide(
        _ action: EntitlementAction,
        within authority: GrantAuthority = .unlimited
    ) -> EntitlementDecision? {
        let id = Grant.ID(newUUID())
        return try? sources.decide(action, at: Self.now, within: authority) { id }
    }
}

extension EntitlementSources {
    /// The rank at a moment; 0 is what everyone has.
    func rank(at moment: Date) -> Int {
        entitlement(at: moment)?.plan.rank ?? 0
    }
}
