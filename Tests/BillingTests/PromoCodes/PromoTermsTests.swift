import Billing
import Foundation
import Testing

@Suite("What promo codes give") struct PromoTermsTests {
    let pro = Plan(code: "PRO", rank: 1)
    let premium = Plan(code: "PREMIUM", rank: 2)
    let now = Date.day(10)

    private func paid(_ plan: Plan, until end: Double?, renews: Bool = true) -> EntitlementSources {
        var subscription = Subscription()
        subscription.state = renews ? .active : .cancelled
        subscription.startedAt = .day(0)
        subscription.periodEndsAt = end.map { .day($0) }
        subscription.renewsAutomatically = renews
        let held = HeldSubscription(id: Subscription.ID(UUID()), subscription: subscription, plan: plan)
        return EntitlementSources(customer: Customer.ID(UUID()), subscriptions: [held])
    }

    private func given(_ plan: Plan, from start: Double = 5, until end: Double?) -> Grant {
        Grant(
            id: Grant.ID(UUID()),
            plan: plan,
            kind: .complimentary,
            startsAt: .day(start),
            endsAt: end.map { .day($0) }
        )
    }

    private func grant(_ plan: Plan, to sources: EntitlementSources) throws -> Grant {
        try sources.promoGrant(of: plan, days: 30, at: now, id: Grant.ID(UUID()))
    }

    @Test("somebody without the plan has it from now on")
    func atOnce() throws {
        let nobody = EntitlementSources(customer: Customer.ID(UUID()))
        let grant = try grant(pro, to: nobody)
        #expect((grant.startsAt, grant.endsAt) == (now, .day(40)))
        #expect(nobody.applying([.gave(grant)]).entitlement(at: now)?.plan == pro)
    }

    @Test("a lower paid plan is lifted and stays as it is")
    func lifted() throws {
        let sources = paid(pro, until: 30)
        let after = sources.applying([.gave(try grant(premium, to: sources))])
        #expect(after.entitlement(at: now)?.plan == premium)
        #expect(after.subscriptions == sources.subscriptions)
        #expect(after.entitlement(at: .day(41)) == nil)
    }

    @Test("while a subscription to the plan or a higher one renews, a code is kept for later")
    func covered() {
        for plan in [pro, premium] {
            #expect(throws: PromoRefusal.alreadyCovered) { try grant(pro, to: paid(plan, until: 30)) }
        }
        var sources = EntitlementSources(customer: Customer.ID(UUID()))
        sources.grants = [given(pro, until: nil)]
        #expect(throws: PromoRefusal.alreadyCovered) { try grant(pro, to: sources) }
        // A grant that lasts longer hides nothing of what renews.
        var both = paid(pro, until: 30)
        both.grants = [given(pro, until: 40)]
        #expect(throws: PromoRefusal.alreadyCovered) { try grant(pro, to: both) }
    }

    @Test("what is paid and ends comes first: the code begins where it ends")
    func afterPaid() throws {
        let sources = paid(premium, until: 30, renews: false)
        let grant = try grant(pro, to: sources)
        #expect((grant.startsAt, grant.endsAt) == (.day(30), .day(60)))
        let after = sources.applying([.gave(grant)])
        #expect(after.entitlement(at: now)?.plan == premium)
        #expect(after.entitlement(at: .day(45))?.plan == pro)
    }

    @Test("codes one after the other add up, over gaps that others fill")
    func stacked() throws {
        var sources = EntitlementSources(customer: Customer.ID(UUID()))
        sources.grants = [given(premium, until: 20), given(pro, from: 20, until: 25)]
        for expected in [25.0, 55, 85] {
            let grant = try grant(pro, to: sources)
            #expect(grant.startsAt == .day(expected))
            sources = sources.applying([.gave(grant)])
        }
        #expect(sources.entitlement(at: .day(114))?.plan == pro)
        #expect(sources.entitlement(at: .day(115)) == nil)
    }

    @Test("a batch is where time has it, unless it is stopped")
    func states() {
        var terms = PromoTerms(plan: pro, days: 30, startsAt: .day(5), expiresAt: .day(20))
        #expect(terms.state(at: .day(4)) == .scheduled)
        #expect(terms.state(at: .day(5)) == .running)
        #expect(terms.state(at: .day(20)) == .expired)
        terms.stoppedAt = .day(6)
        #expect(terms.state(at: .day(7)) == .stopped)
        #expect(PromoTerms(plan: pro, days: 30).state(at: now) == .running)
    }

    @Test("each reason why a code gives nothing is told apart")
    func refusals() {
        let terms = PromoTerms(
            plan: pro,
            days: 30,
            usesPerCode: 2,
            usesPerCustomer: 2,
            startsAt: .day(5),
            expiresAt: .day(20)
        )
        func refusal(
            _ terms: PromoTerms,
            own: Int = 0,
            same: Bool = false,
            uses: Int = 0,
            at day: Double = 10
        ) -> PromoRefusal? {
            do throws(PromoRefusal) {
                try terms.check(own: own, hasRedeemedCode: same, uses: uses, at: .day(day))
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(terms) == nil)
        #expect(refusal(terms, own: 1, uses: 1) == nil)
        #expect(refusal(terms, at: 4) == .notYetValid)
        #expect(refusal(terms, at: 20) == .expired)
        #expect(refusal(terms, own: 1, same: true, uses: 1) == .alreadyRedeemed)
        #expect(refusal(terms, own: 2) == .alreadyRedeemed)
        #expect(refusal(terms, uses: 2) == .usedUp)
        var stopped = terms
        stopped.stoppedAt = .day(1)
        #expect(refusal(stopped, at: 30) == .stopped)
    }

    @Test("ten wrong codes in an hour are too many, until the hour is over")
    func throttle() {
        let throttle = PromoThrottle.customer
        #expect(throttle.lockout(after: 9, since: now, at: now) == nil)
        let end = now.addingTimeInterval(3_600)
        #expect(throttle.lockout(after: 10, since: now, at: now) == end)
        #expect(throttle.lockout(after: 10, since: now, at: end) == nil)
    }
}
