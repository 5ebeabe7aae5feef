import Billing
import Foundation
import Testing

@Suite("one purchase, one order, whatever the store calls it")
struct OnePurchaseTests {
    /// A month of 9.99 that the store calls by an id, with its own id of the purchase.
    private static func month(
        _ id: String,
        purchase: String? = "900",
        from start: Double = 0,
        family: Bool = false
    ) -> StoreTransaction {
        var sold = StoreTransaction.sold(
            id,
            from: start,
            to: start + 30,
            for: Money(minorUnits: 999, currency: .cny),
            family: family
        )
        sold.purchaseID = purchase
        return sold
    }

    @Test("One purchase has several transaction ids: one order, one refund, net 0, in either order of arrival")
    func severalIDs() throws {
        let bought = StoreEvent.told(.resubscribed, on: 0, Self.month("200"))
        let proven = StoreEvent.told(.observed, on: 0.01, Self.month("201"))
        let refunded = StoreEvent.told(.refunded, on: 3, Self.month("201").takenBack(on: 3))
        for events in [[bought, proven, refunded], [refunded, proven, bought], [proven, bought, refunded]] {
            let outcome = SubscriptionHistory(events).replay()
            #expect(outcome.books.orders.count == 1)
            #expect(try outcome.ledger("200") == "initial_purchase 9.99, refund -9.99")
            #expect(try outcome.order("200").otherTransactionIDs == ["201"])
            #expect(try outcome.order("200").kept == .yuan(0))
            #expect(outcome.periods.map(\.transactionID) == ["200"])
            #expect(outcome.rejections.isEmpty)
        }
    }

    @Test("a refund that names the first id reaches the order that only the second has opened")
    func otherWay() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.observed, on: 0, Self.month("201")),
            .told(.refunded, on: 3, Self.month("200").takenBack(on: 3))
        )
        #expect(outcome.books.orders.count == 1)
        #expect(try outcome.order("201").kept == .yuan(0))
        #expect(outcome.subscription.state == .revoked)
    }

    @Test("what the store's own id, the dates, the quantity or the ownership tell apart are purchases of their own")
    func apart() {
        var two = Self.month("201", purchase: nil)
        two.quantity = 2
        let others = [
            Self.month("201", purchase: "901"), Self.month("201", from: 30), Self.month("201", family: true), two,
        ]
        for other in others {
            let outcome = SubscriptionHistory.outcome(
                .told(.subscribed, on: 0, Self.month("200")),
                .told(.observed, on: 31, other)
            )
            let ids = outcome.books.orders.flatMap { [$0.transactionID] + $0.otherTransactionIDs }
            #expect(outcome.books.orders.allSatisfy { $0.otherTransactionIDs.isEmpty }, "\(other)")
            #expect(ids.contains("200"))
        }
    }

    @Test("a receipt has no milliseconds, and old messages no id of the purchase")
    func lackingReceipt() {
        var receipt = Self.month("201", purchase: nil)
        receipt.price = nil
        var exact = Self.month("200")
        exact.purchasedAt += 0.345
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0.5, exact),
            .told(.observed, on: 1, receipt)
        )
        #expect(outcome.books.orders.map(\.transactionID) == ["200"])
        #expect(outcome.books.orders.map(\.otherTransactionIDs) == [["201"]])
    }

    @Test("a lifetime product that is restored is charged once, under its original id and on its own day")
    func restored() throws {
        let bought = StoreTransaction.sold("t1", from: 0, to: nil, "lifetime", kind: .nonConsumable)
        let copy = StoreTransaction.sold("t9", from: 50, to: nil, "lifetime", kind: .nonConsumable)
        let told = StoreEvent.told(.purchasedOnce, on: 0, bought)
        let restored = StoreEvent.told(.observed, on: 50, copy)
        for events in [[told, restored], [restored, told]] {
            let outcome = SubscriptionHistory(events).replay()
            #expect(outcome.books.orders.map(\.transactionID) == ["t1"])
            #expect(try outcome.order("t1").purchasedAt == .day(0))
            #expect(outcome.subscription.hasAccess(at: .day(100)))
        }
    }

    @Test("a lifetime product that is bought again after it was refunded is another purchase")
    func boughtAgain() throws {
        let bought = StoreTransaction.sold("t1", from: 0, to: nil, "lifetime", kind: .nonConsumable)
        let again = StoreTransaction.sold("t9", from: 50, to: nil, "lifetime", kind: .nonConsumable)
        let outcome = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, bought),
            .told(.refunded, on: 10, bought.takenBack(on: 10)),
            .told(.purchasedOnce, on: 50, again)
        )
        #expect(outcome.books.orders.map(\.transactionID) == ["t1", "t9"])
        #expect(outcome.subscription.hasAccess(at: .day(60)))
    }

    @Test("a charge that failed of a period with two ids is one")
    func failedOnce() {
        let failures = FailedCharge.derived(from: [
            .told(.gracePeriodEntered, on: 30, Self.month("200")),
            .told(.gracePeriodEntered, on: 30.1, Self.month("201")),
        ])
        #expect(failures.map(\.transactionID) == ["200"])
    }

    @Test("A transaction is suddenly of another subscription: here it gives access, and no money is counted twice")
    func bookedElsewhere() {
        var sold = Self.month("501", from: 30)
        sold.isBookedElsewhere = true
        let renewed = StoreEvent.told(.renewed, on: 30, sold)
        let later = StoreEvent.told(.autoRenewDisabled, on: 35, Self.month("501", from: 30))
        let outcome = SubscriptionHistory.outcome(.told(.subscribed, on: 0, Self.month("700")), renewed, later)
        #expect(outcome.books.orders.map(\.transactionID) == ["700"])
        #expect(outcome.subscription.hasAccess(at: .day(40)))
        #expect(outcome.periods.map(\.isPaid) == [true, false])
        #expect(outcome.rejections.isEmpty)
    }

    @Test("a transaction 0 is refused in production, and is one of many in the sandbox")
    func transactionZero() throws {
        var event = StoreEvent.told(.subscribed, on: 0, Self.month("0"))
        #expect(throws: TransitionRefused.self) { try event.requireKeepable() }
        event.environment = .sandbox
        try event.requireKeepable()
    }
}
