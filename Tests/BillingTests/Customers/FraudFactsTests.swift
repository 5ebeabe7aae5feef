import Billing
import Foundation
import Testing

@Suite("Signs of fraud") struct FraudFactsTests {
    private let ada = UUID()
    private let eve = UUID()
    private let day = Date(timeIntervalSince1970: 1_750_000_000)

    @Test("a customer with a purchase, an account and now and then a refund is nothing unusual")
    func nothing() {
        let facts = FraudFacts(
            accountTokens: [ada],
            accountHistories: [.init(originalTransactionID: "1", accountTokens: [ada, ada])],
            orders: 7,
            refundedOrders: 2,
            planChanges: [day, day + 20 * 86_400, day + 50 * 86_400]
        )
        #expect(facts.signals.isEmpty)
        #expect(FraudFacts().signals.isEmpty)
        #expect(FraudFacts(orders: 1, refundedOrders: 1).signals.isEmpty)
    }

    @Test("one original transaction with two accounts, the latest not this customer's")
    func accounts() {
        let facts = FraudFacts(
            accountTokens: [ada],
            accountHistories: [
                .init(originalTransactionID: "1", accountTokens: [eve, ada, eve]),
                .init(originalTransactionID: "2", accountTokens: [ada]),
                .init(originalTransactionID: "3", accountTokens: []),
            ]
        )
        #expect(facts.signals == [.severalAccounts("1", accounts: 2), .foreignAccount("1")])
    }

    @Test("accounts that turned out to be one customer's are one; what two customers claim is the gravest")
    func joined() {
        let facts = FraudFacts(
            accountTokens: [ada, eve],
            accountHistories: [.init(originalTransactionID: "1", accountTokens: [eve, ada, eve])],
            refusedClaims: ["1"]
        )
        #expect(facts.signals == [.refusedClaim("1")])
    }

    @Test(
        "refunds of three paid orders in ten",
        arguments: [(10, 3, true), (10, 2, false), (6, 2, true), (7, 2, false)]
    )
    func refunds(_ orders: Int, _ refunded: Int, _ isUnusual: Bool) {
        let signals = FraudFacts(orders: orders, refundedOrders: refunded).signals
        #expect(signals == (isUnusual ? [.manyRefunds(refunded, of: orders)] : []))
    }

    @Test("three changes of plan within thirty days, in whatever order they are known")
    func changes() {
        let dense = [day + 29 * 86_400, day, day + 86_400]
        #expect(FraudFacts(planChanges: dense).signals == [.rapidChanges(3)])
        let sparse = [day + 30 * 86_400, day, day + 86_400]
        #expect(FraudFacts(planChanges: sparse).signals.isEmpty)
    }
}
