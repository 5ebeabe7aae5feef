import Billing
import Foundation
import Testing

@Suite("a refund is a state of its transaction")
struct RefundStateTests {
    private let sold = StoreTransaction.sold("t1", from: 0, to: 30, for: .yuan(30))
    private var bought: StoreEvent { .told(.subscribed, on: 0, sold) }

    @Test("The date of a refund changes later: a third of 30.00 is refunded once, on the day that was named first")
    func otherDate() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, sold.takenBack(on: 3, milliPercent: 33_333)),
            .told(.autoRenewDisabled, on: 15, sold.takenBack(on: 14, milliPercent: 33_333), .renews(false))
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 30.00, refund -10.00")
        #expect(try outcome.order("t1").entries.last?.occurredAt == .day(3))
        #expect(outcome.subscription.endedAt == .day(3))
    }

    @Test("A second part is refunded: the share is of the whole so far, so two thirds are 20.00 in all")
    func secondPart() throws {
        let coins = StoreTransaction.sold("t1", from: 0, to: nil, for: .yuan(30), "coins", kind: .consumable)
        let outcome = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, coins),
            .told(.refunded, on: 3, coins.takenBack(on: 3, milliPercent: 33_333)),
            .told(.refunded, on: 9, coins.takenBack(on: 9, milliPercent: 66_667))
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 30.00, refund -10.00, refund -10.00")
        #expect(try outcome.order("t1").refunded == .yuan(20))
        #expect(try outcome.order("t1").entries.map(\.occurredAt) == [.day(0), .day(3), .day(9)])
    }

    @Test(
        "an amount that the store names is booked to the last unit, however large the charge"
    )
    func veryAmount() throws {
        func given(_ units: Int64?, _ milliPercent: Int, on day: Double) -> StoreTransaction {
            var book = StoreTransaction.sold("t1", from: 0, to: nil, for: .yuan(1_490_000), "book", kind: .consumable)
            book.revocation = StoreTransaction.Revocation(
                at: .day(day),
                milliPercent: milliPercent,
                amount: units.map { Money(minorUnits: $0, currency: Money.yuan(1).currency) }
            )
            return book
        }
        let outcome = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, given(nil, 0, on: 0)),
            .told(.observed, on: 3, given(12_345_678, 8_286, on: 3)),
            .told(.observed, on: 4, given(12_345_678, 8_286, on: 4)),
            .told(.observed, on: 5, given(12_345_679, 8_286, on: 5))
        )
        #expect(try outcome.order("t1").refunded.minorUnits == 12_345_679)
        // More than the charge is never given back.
        let all = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, given(nil, 0, on: 0)),
            .told(.observed, on: 3, given(149_000_001, 100_000, on: 3))
        )
        #expect(try all.order("t1").refunded == .yuan(1_490_000))
    }

    @Test("a refund that was taken back stays so: nothing is refunded, and access is as paid")
    func takenBack() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, sold.takenBack(on: 3, milliPercent: 100_000)),
            .told(.refundReversed, on: 5, sold),
            .told(.autoRenewDisabled, on: 6, sold, .renews(false))
        )
        #expect(try outcome.order("t1").refunded == .yuan(0))
        #expect(outcome.subscription.hasAccess(at: .day(20)))
        #expect(!outcome.subscription.hasAccess(at: .day(30)))
    }

    @Test("a smaller share replaces a larger one")
    func smallerShare() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, sold.takenBack(on: 3, milliPercent: 100_000)),
            .told(.refunded, on: 5, sold.takenBack(on: 5, milliPercent: 50_000))
        )
        #expect(try outcome.order("t1").refunded == .yuan(15))
        #expect(
            try outcome.ledger("t1")
                == "initial_purchase 30.00, refund -30.00, refund_reversal 30.00, refund -15.00"
        )
        #expect(outcome.periods.allSatisfy { $0.refundedAt == nil })
    }

    @Test("a message that tells of the refund in passing, and of no share, does not make it whole")
    func noShare() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, sold.takenBack(on: 3, milliPercent: 50_000)),
            .told(.observed, on: 8, sold.takenBack(on: 7))
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 30.00, refund -15.00")
    }

    @Test("whatever comes in whatever order, what is refunded is what was signed last, and stored rows follow")
    func anyOrder() throws {
        for seed in UInt64(0)..<500 {
            var random = SplitMix64(seed: seed)
            var events = [bought]
            var last = 0
            for day in 1...Int.random(in: 1...5, using: &random) {
                if random.happens(20) {
                    events.append(.told(.refundReversed, on: Double(day), sold))
                    last = 0
                } else {
                    last = [10_000, 33_333, 50_000, 100_000].randomElement(using: &random) ?? 0
                    let date = Double(Int.random(in: 1...20, using: &random))
                    events.append(
                        .told(.refunded, on: Double(day), sold.takenBack(on: date, milliPercent: last))
                    )
                }
            }
            let expected = try StoreTransaction.Revocation(at: .day(0), milliPercent: last).refund(of: .yuan(30))
            var history = SubscriptionHistory([])
            var stored: [String: Money] = [:]
            for event in events.shuffled(using: &random) {
                history.insert(event)
                guard let order = history.replay().books.orders.first else { continue }
                for entry in order.entries(missingFrom: stored, dueTo: event) {
                    #expect(stored[entry.reference] == nil, "seed \(seed)")
                    stored[entry.reference] = entry.amount
                }
                #expect(stored.values.map(\.minorUnits).reduce(0, +) == order.kept.minorUnits, "seed \(seed)")
            }
            #expect(stored.values.map(\.minorUnits).reduce(0, +) == 3_000 - expected.minorUnits, "seed \(seed)")
        }
    }
}
