import Billing
import Foundation
import Testing

@Suite("For days the store sends no price") struct UnpricedOrderTests {
    private static let unpriced = StoreTransaction.sold("t1", from: 0, to: 30, for: nil)
    private static let priced = StoreTransaction.sold("t1", from: 0, to: 30)
    private static let bought = StoreEvent.told(.subscribed, on: 0, unpriced, .renews())

    @Test("there is access at once and an order whose amount is not known, which is neither free nor a trial")
    func notKnown() throws {
        let outcome = SubscriptionHistory.outcome(Self.bought)
        let order = try outcome.order("t1")
        #expect(outcome.subscription.hasAccess(at: .day(1)))
        #expect(outcome.subscription.state == .active)
        #expect(!order.isPriced)
        #expect((order.status, order.kind) == (.pending, .initialPurchase))
        #expect(order.entries.isEmpty)
        #expect(outcome.periods.map(\.isTrial) == [false])
        #expect(outcome.periods.map(\.isPaid) == [false])
        #expect(outcome.steps[0].warnings == [.chargeWithoutPrice])
    }

    @Test(
        "whatever message tells the amount later, it is booked on the day of the purchase",
        arguments: [
            StoreEvent.Kind.autoRenewDisabled, .informational, .observed, .refundDeclined, .priceIncreasePending,
            .gracePeriodEntered,
        ]
    )
    func filledIn(_ kind: StoreEvent.Kind) throws {
        let outcome = SubscriptionHistory.outcome(Self.bought, .told(kind, on: 9, Self.priced))
        let order = try outcome.order("t1")
        #expect(order.entries.map(\.occurredAt) == [.day(0)])
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00")
        #expect(order.status == .completed)
        #expect(kind == .informational || outcome.periods.map(\.isPaid) == [true])
    }

    @Test("a message about an earlier period fills in that one, in the books and in what was paid access")
    func earlierPeriod() throws {
        let outcome = SubscriptionHistory.outcome(
            Self.bought,
            .told(.renewed, on: 30, .sold("t2", from: 30, to: 60)),
            .told(.observed, on: 31, Self.priced)
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00")
        #expect(outcome.periods.map(\.isPaid) == [true, true])
    }

    @Test("what charges is called as the message that charged called it, whoever tells the amount")
    func upgrade() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Self.priced),
            .told(.upgraded, on: 10, .sold("t2", from: 10, to: 40, for: nil)),
            .told(.autoRenewDisabled, on: 11, .sold("t2", from: 10, to: 40, for: .yuan(30)))
        )
        #expect(try outcome.ledger("t2") == "upgrade 30.00")
    }

    @Test("of an amount that is not known the refund is not known, until it is")
    func refund() throws {
        let taken = StoreEvent.told(.refunded, on: 5, Self.unpriced.takenBack(on: 5))
        let before = SubscriptionHistory.outcome(Self.bought, taken)
        #expect(try before.order("t1").takenBackAt == .day(5))
        #expect(try before.order("t1").status == .pending)
        #expect(before.subscription.state == .revoked)
        #expect(before.steps[1].warnings == [.refundWithoutCharge])

        let after = SubscriptionHistory.outcome(
            Self.bought,
            taken,
            .told(.observed, on: 8, Self.priced.takenBack(on: 5))
        )
        #expect(try after.ledger("t1") == "initial_purchase 18.00, refund -18.00")
        #expect(try after.order("t1").entries.map(\.occurredAt) == [.day(0), .day(5)])
        #expect(try after.order("t1").status == .refunded)
    }

    @Test("the refund itself may be the first to name the amount")
    func refundNamesIt() throws {
        let outcome = SubscriptionHistory.outcome(
            Self.bought,
            .told(.refunded, on: 5, Self.priced.takenBack(on: 5, milliPercent: 50_000))
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00, refund -9.00")
        #expect(outcome.steps[1].warnings == [])
    }

    @Test("a refund that was taken back leaves nothing given back of what has no amount")
    func reversed() throws {
        let outcome = SubscriptionHistory.outcome(
            Self.bought,
            .told(.refunded, on: 5, Self.unpriced.takenBack(on: 5)),
            .told(.refundReversed, on: 6, Self.unpriced)
        )
        #expect(try outcome.order("t1").takenBackAt == nil)
    }

    @Test("a free trial needs no amount to be free: it has an order when a currency is named")
    func trial() throws {
        let trial = StoreTransaction.sold("t1", from: 0, to: 7, for: nil, trial: true)
        let told = StoreEvent.told(.subscribed, on: 0, trial)
        #expect(SubscriptionHistory.outcome(told).books.orders.isEmpty)
        let free = StoreTransaction.sold("t1", from: 0, to: 7, for: .yuan(0), trial: true)
        let outcome = SubscriptionHistory.outcome(told, .told(.autoRenewDisabled, on: 1, free))
        #expect(try outcome.ledger("t1") == "initial_purchase 0.00")
    }

    @Test(
        "a price that is told before the message that charges, which lacks it, is remembered, whatever kind of message tells it",
        arguments: [StoreEvent.Kind.autoRenewEnabled, .informational, .refundDeclined, .priceIncreaseAccepted]
    )
    func toldBefore(_ kind: StoreEvent.Kind) throws {
        let teller = StoreEvent.told(kind, on: 29, .sold("t2", from: 30, to: 60))
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Self.priced),
            teller,
            .told(.renewed, on: 30, .sold("t2", from: 30, to: 60, for: nil))
        )
        #expect(try outcome.ledger("t2") == "renewal 18.00")
        let entry = try #require(try outcome.order("t2").entries.first)
        #expect((entry.occurredAt, entry.eventID) == (.day(30), teller.id))
    }

    @Test(
        "in whatever order they arrive, messages of which one tells the price come to the same books, with the refund between them"
    )
    func shuffled() throws {
        var random = SplitMix64(seed: 35)
        let unpriced = StoreTransaction.sold("t2", from: 30, to: 60, for: nil)
        let events: [StoreEvent] = [
            .told(.subscribed, on: 0, Self.unpriced, .renews()),
            .told(.autoRenewEnabled, on: 1, Self.priced, .renews()),
            .told(.refundDeclined, on: 29, .sold("t2", from: 30, to: 60)), .told(.renewed, on: 30, unpriced, .renews()),
            .told(.refunded, on: 31, unpriced.takenBack(on: 31, milliPercent: 50_000)),
            .told(.autoRenewDisabled, on: 32, unpriced, .renews(false)),
        ]
        let expected = SubscriptionHistory(events).replay()
        #expect(try expected.ledger("t1") == "initial_purchase 18.00")
        #expect(try expected.ledger("t2") == "renewal 18.00, refund -9.00")
        for _ in 0..<100 {
            let outcome = SubscriptionHistory(events.shuffled(using: &random)).replay()
            #expect(outcome.books == expected.books)
            #expect(outcome.subscription == expected.subscription)
        }
    }
}
