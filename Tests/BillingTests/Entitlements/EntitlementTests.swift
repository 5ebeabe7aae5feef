import Billing
import Foundation
import Testing

@Suite("the entitlement of a customer")
struct EntitlementTests {
    let pro = Plan(code: "PRO", rank: 1)
    let premium = Plan(code: "PREMIUM", rank: 2)

    private func id(_ last: UInt8) -> Subscription.ID {
        Subscription.ID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, last)))
    }

    private func active(until day: Double?) -> Subscription {
        var subscription = Subscription()
        subscription.state = .active
        subscription.startedAt = .day(0)
        subscription.periodStartsAt = .day(0)
        subscription.periodEndsAt = day.map { .day($0) }
        subscription.renewsAutomatically = true
        subscription.productID = "p"
        return subscription
    }

    @Test("the higher rank wins over the later end")
    func rankFirst() {
        let rows = [(id(1), active(until: 900), pro), (id(2), active(until: 30), premium)]
        let entitlement = Entitlement.current(of: rows, at: .day(5))
        let expected = Entitlement(
            plan: premium,
            state: .active,
            source: .subscription(id(2)),
            productID: "p",
            since: .day(0),
            until: .day(30),
            willRenew: true
        )
        #expect(entitlement == expected)
    }

    @Test("when the higher one ends, the customer falls back to what is still paid")
    func fallsBack() {
        let rows = [(id(1), active(until: 900), pro), (id(2), active(until: 30), premium)]
        #expect(Entitlement.current(of: rows, at: .day(30))?.plan == pro)
        #expect(Entitlement.current(of: rows, at: .day(900)) == nil)
    }

    @Test("of one rank the later end wins, and no end is the latest")
    func laterEnd() {
        let rows = [(id(1), active(until: 40), pro), (id(2), active(until: 50), pro), (id(3), active(until: nil), pro)]
        #expect(Entitlement.current(of: rows.prefix(2), at: .day(5))?.source == .subscription(id(2)))
        #expect(Entitlement.current(of: rows, at: .day(5))?.source == .subscription(id(3)))
        #expect(Entitlement.current(of: rows, at: .day(5))?.until == nil)
    }

    @Test("what was bought ahead gives nothing until it begins, also where what it was put behind ends early")
    func ahead() {
        var next = active(until: 60)
        (next.startedAt, next.periodStartsAt, next.accessStartsAt) = (.day(2), .day(30), .day(30))
        let both = [(id(1), active(until: 30), pro), (id(2), next, pro)]
        let now = Entitlement.current(of: both, at: .day(5))
        #expect(now?.source == .subscription(id(1)) && now?.until == .day(60))
        #expect(Entitlement.current(of: both, at: .day(30))?.source == .subscription(id(2)))
        let left = [(id(1), active(until: 10), pro), (id(2), next, pro)]
        #expect(Entitlement.current(of: left, at: .day(5))?.until == .day(10))
        #expect(Entitlement.current(of: left, at: .day(10)) == nil)
        #expect(Entitlement.current(of: left, at: .day(30))?.since == .day(30))
        let sources = EntitlementSources(
            customer: Customer.ID(UUID()),
            subscriptions: left.map { HeldSubscription(id: $0, subscription: $1, plan: $2) }
        )
        #expect(sources.outlook(from: .day(5)).map(\.from) == [.day(5), .day(10), .day(30), .day(60)])
        #expect(sources.outlook(from: .day(5)).map(\.plan) == [pro, nil, pro, nil])
        let standing = sources.standing(basePlan: "FREE", at: .day(12))
        #expect(standing.state == .pending && standing.plan == "FREE" && !standing.hasAccess)
        #expect(sources.trialRefusal(at: .day(12)) == .activeSubscription)
        // Staff may take it away, or make it longer, before it begins.
        let taken = try? sources.decide(.revoke(.subscription(id(2))), at: .day(12)) { Grant.ID(UUID()) }
        #expect(taken?.after.entitlement(at: .day(30)) == nil)
        let longer = try? sources.decide(.extend(.subscription(id(2)), days: 3), at: .day(12)) { Grant.ID(UUID()) }
        #expect(longer?.after.entitlement(at: .day(30))?.until == .day(63))
    }

    @Test("equal ones give one answer in any order")
    func deterministic() {
        let rows = [(id(1), active(until: 40), pro), (id(2), active(until: 40), pro)]
        #expect(Entitlement.current(of: rows, at: .day(5))?.source == .subscription(id(1)))
        #expect(Entitlement.current(of: rows.reversed(), at: .day(5))?.source == .subscription(id(1)))
    }

    @Test("nobody's subscription gives nothing")
    func none() {
        #expect(Entitlement.current(of: [], at: .day(0)) == nil)
        #expect(Entitlement.current(of: [(id(1), Subscription(), premium)], at: .day(0)) == nil)
    }

    @Test("plans are ordered by rank")
    func plans() {
        #expect([premium, pro, Plan(code: "FREE", rank: 0)].sorted().map(\.code) == ["FREE", "PRO", "PREMIUM"])
    }
}
