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
