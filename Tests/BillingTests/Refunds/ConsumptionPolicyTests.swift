import Billing
import Foundation
import Testing

@Suite("what an app answers a store that asks about a refund")
struct ConsumptionPolicyTests {
    private static let policy = ConsumptionPolicy(rules: [
        ConsumptionRule(name: "often refunded", refunds: .init(from: 3), answer: .decline),
        ConsumptionRule(
            name: "fresh",
            ageInDays: .init(to: 2),
            usedPercent: .init(to: 10),
            answer: .grantFull
        ),
        ConsumptionRule(name: "premium", plan: "PREMIUM", usedPercent: .init(from: 1, to: 80), answer: .grantProrated),
        ConsumptionRule(name: "old", ageInDays: .init(from: 60), answer: .decline),
    ])

    private static func facts(
        _ plan: String = "PRO",
        age: Int = 30,
        refunds: Int = 0,
        used: Int? = 50,
        isRenewing: Bool = true
    ) -> ConsumptionFacts {
        ConsumptionFacts(plan: plan, ageInDays: age, refunds: refunds, usedPercent: used, isRenewing: isRenewing)
    }

    @Test(
        "the first rule whose conditions all hold decides",
        arguments: [
            (facts(age: 0, refunds: 3, used: 0), 1), (facts(age: 2, used: 10), 2), (facts(age: 3, used: 10), nil),
            (facts(age: 2, used: 11), nil), (facts("PREMIUM", used: 80), 3), (facts("PREMIUM", used: 81), nil),
            (facts("PREMIUM", used: 0), nil), (facts(age: 60), 4), (facts("PREMIUM", age: 60), 3),
            (facts(refunds: 2), nil),
        ] as [(ConsumptionFacts, Int?)]
    )
    func firstRule(_ facts: ConsumptionFacts, _ position: Int?) {
        #expect(Self.policy.match(facts)?.position == position)
    }

    @Test("what is not known meets no condition, and a rule without conditions holds always")
    func unknown() {
        #expect(Self.policy.match(Self.facts("PREMIUM", age: 0, used: nil)) == nil)
        let always = ConsumptionPolicy(rules: [ConsumptionRule(name: "rest", answer: .decline)])
        #expect(always.match(Self.facts(used: nil))?.rule.answer == .decline)
        #expect(ConsumptionPolicy().match(Self.facts()) == nil)
    }

    @Test("age and use are counted in whole days and percents, and never beyond the period")
    func counted() {
        func facts(at hours: Double, isSuperseded: Bool = false) -> ConsumptionFacts {
            let start = Date(timeIntervalSince1970: 1_700_000_000)
            return ConsumptionFacts(
                plan: "PRO",
                purchasedAt: start,
                refunds: 0,
                from: start,
                to: start.addingTimeInterval(100 * 3_600),
                isSuperseded: isSuperseded,
                isRenewing: true,
                at: start.addingTimeInterval(hours * 3_600)
            )
        }
        #expect((facts(at: -5).ageInDays, facts(at: -5).usedPercent) == (0, 0))
        #expect((facts(at: 23.9).ageInDays, facts(at: 23.9).usedPercent) == (0, 23))
        #expect((facts(at: 24).ageInDays, facts(at: 99.9).usedPercent) == (1, 99))
        #expect(facts(at: 1_000).usedPercent == 100)
        // The rest of what an upgrade replaced was credited.
        #expect(facts(at: 5, isSuperseded: true).usedPercent == 100)
    }

    @Test("a percentage is said of what does not renew alone, and between nothing and all with a prorated refund")
    func percentage() throws {
        #expect(try Self.facts().percentage(with: .grantProrated, rule: 40_000) == nil)
        #expect(try Self.facts(used: 30, isRenewing: false).percentage(with: .decline, rule: nil) == 30_000)
        #expect(try Self.facts(used: 30, isRenewing: false).percentage(with: .decline, rule: 5) == 5)
        #expect(try Self.facts(used: nil, isRenewing: false).percentage(with: .grantFull, rule: nil) == nil)
        #expect(try Self.facts(used: 0, isRenewing: false).percentage(with: .grantProrated, rule: nil) == 1)
        #expect(try Self.facts(used: 100, isRenewing: false).percentage(with: .grantProrated, rule: nil) == 99_999)
        let error = #expect(throws: RefundRefused.self) {
            try Self.facts(used: nil, isRenewing: false).percentage(with: .grantProrated, rule: nil)
        }
        #expect(error?.code == .noPeriod)
    }

    @Test("undecided cases are answered at once, or half an hour before the deadline")
    func moment() {
        let (asked, due) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 43_200))
        #expect(ConsumptionPolicy(sending: .automatic).answersAt(due, askedAt: asked) == asked)
        #expect(ConsumptionPolicy(sending: .deadline).answersAt(due, askedAt: asked) == due.addingTimeInterval(-1_800))
    }
}
