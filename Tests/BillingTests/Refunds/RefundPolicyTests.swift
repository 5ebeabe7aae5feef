import Billing
import Foundation
import Testing

@Suite("the policy for refunds")
struct RefundPolicyTests {
    static let ada = UUID()
    static let eve = UUID()
    let policy = RefundPolicy(
        selfApprovalLimit: .yuan(20),
        typedConfirmationFrom: .yuan(100),
        requestExpiresAfterDays: 30
    )

    @Test("whoever asked may not approve, unless it is below the app's limit in its currency")
    func fourEyes() {
        let strict = RefundPolicy.standard(in: .cny)
        let dollar = Money(minorUnits: 1, currency: .named("USD"))
        let table: [(RefundPolicy, UUID?, UUID?, Money?, Bool)] = [
            (strict, Self.ada, Self.eve, .yuan(500), true), (strict, Self.ada, Self.ada, .yuan(1), false),
            (policy, Self.ada, Self.ada, .yuan(19), true), (policy, Self.ada, Self.ada, .yuan(20), false),
            (policy, Self.ada, Self.ada, dollar, false), (policy, Self.ada, Self.eve, dollar, true),
            (policy, Self.ada, Self.ada, nil, false), (policy, Self.ada, Self.eve, nil, true),
            (strict, nil, Self.ada, .yuan(500), true), (strict, nil, nil, .yuan(500), true),
            (strict, Self.ada, nil, .yuan(500), true),
        ]
        for (policy, requester, approver, amount, isAllowed) in table {
            do throws(RefundRefused) {
                try policy.requireFourEyes(requester: requester, approver: approver, amount: amount, after: .nothing)
                #expect(isAllowed, "\(String(describing: amount))")
            } catch {
                #expect(error.code == .ownRequest(.amount))
                #expect(!isAllowed, "\(String(describing: amount))")
            }
        }
    }

    @Test("the limits hold for the order and for the admin's day, also where the sum is too large to count")
    func sums() {
        func bar(_ units: Int64, onOrder: Int64 = 0, today: Int64 = 0) -> SelfApprovalBar? {
            let before = ApprovedBefore(onOrder: onOrder, ownOnOrder: onOrder, today: today, ownToday: today)
            return policy.selfApprovalBar(of: Money(minorUnits: units, currency: .cny), after: before)
        }
        func money(_ units: Int64) -> Money { Money(minorUnits: units, currency: .cny) }
        #expect(bar(1_900) == nil && bar(2_000) == .amount)
        #expect(bar(99, onOrder: 1_900) == nil)
        #expect(bar(100, onOrder: 1_900) == .order(before: money(1_900), limit: money(2_000)))
        #expect(bar(99, today: 1_900) == nil)
        #expect(bar(1_900, today: 1_900) == .day(before: money(1_900), limit: money(2_000)))
        #expect(bar(1, onOrder: .max) == .order(before: money(.max), limit: money(2_000)))
        #expect(bar(1, today: .max) == .day(before: money(.max), limit: money(2_000)))
        // What others asked for does not count towards it, but is typed.
        let others = ApprovedBefore(onOrder: 9_000, ownOnOrder: 0, today: 9_000, ownToday: 0)
        #expect(policy.selfApprovalBar(of: .yuan(19), after: others) == nil)
        #expect(policy.asksToType(for: .yuan(10), after: others))
        #expect(!policy.asksToType(for: money(999), after: others))
        let (order, day) = (
            ApprovedBefore(onOrder: .max, ownOnOrder: 0, today: 0, ownToday: 0),
            ApprovedBefore(onOrder: 0, ownOnOrder: 0, today: .max, ownToday: 0)
        )
        #expect(policy.asksToType(for: money(1), after: order) && policy.asksToType(for: money(1), after: day))
    }

    @Test("the confirmation is typed from the threshold on, and for what has no rate")
    func confirmation() throws {
        let number = "ORD-20241215-0001"
        #expect(RefundPolicy.confirmation(of: number) == "5-0001")
        try policy.requireConfirmation(nil, of: number, for: Money(minorUnits: 9_999, currency: .cny), after: .nothing)
        for amount in [Money.yuan(100), .yuan(101), nil] {
            for typed in [nil, "", "0001", "5-0002", number] {
                let error = #expect(throws: RefundRefused.self, "\(typed ?? "nil")") {
                    try policy.requireConfirmation(typed, of: number, for: amount, after: .nothing)
                }
                #expect(error?.code == .notConfirmed)
            }
            try policy.requireConfirmation("5-0001", of: number, for: amount, after: .nothing)
            try policy.requireConfirmation(" 5-00 01 ", of: number, for: amount, after: .nothing)
        }
        try policy.requireConfirmation("a-000b", of: "ORD-20241A-000B", for: .yuan(100), after: .nothing)
    }

    @Test("a hundred is a hundred in every currency", arguments: [("CNY", 10_000), ("JPY", 100), ("KWD", 100_000)])
    func standard(_ code: String, _ units: Int64) {
        let policy = RefundPolicy.standard(in: .named(code))
        #expect(policy.typedConfirmationFrom.minorUnits == units)
        #expect(policy.selfApprovalLimit == nil)
        #expect(policy.expiry(from: .day(1)) == .day(31))
    }

    @Test("Apple waits twelve hours for an answer, Google a day; the other stores do not ask")
    func deadline() {
        #expect(RefundPreference.deadline(of: .apple, askedAt: .day(1)) == .day(1.5))
        #expect(RefundPreference.deadline(of: .google, askedAt: .day(1)) == .day(2))
        #expect(RefundPreference.deadline(of: .wechat, askedAt: .day(1)) == nil)
        #expect(RefundPreference.deadline(of: .alipay, askedAt: .day(1)) == nil)
        #expect(Store.allCases.filter(\.rules.decidesRefunds) == [.apple])
        #expect(RefundPreference.proposed(for: .full) == .grantFull)
        #expect(RefundPreference.proposed(for: .partial) == .grantProrated)
        #expect(RefundPreference.proposed(for: .prorated) == .grantProrated)
    }
}
