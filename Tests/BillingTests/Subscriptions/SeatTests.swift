import Billing
import Foundation
import Testing

@Suite("Subscriptions that are sold by seats") struct SeatTests {
    /// Five seats at 9.99 and, as seats fill the dear tier first, three at 7.99: 73.92 for a month.
    private static func group(
        _ id: String = "t1",
        from start: Double = 0,
        to end: Double = 30,
        seats: Int = 8,
        for price: Money? = .yuan(73, fen: 92),
        isAddition: Bool? = nil,
        revoked: Int? = nil,
        milliPercent: Int? = nil,
        reason: StoreTransaction.Reason? = .purchase
    ) -> StoreTransaction {
        var transaction = StoreTransaction.sold(id, from: start, to: end, for: price, reason: reason)
        transaction.quantity = seats
        transaction.purchaseID = "w1"
        transaction.seats = StoreTransaction.Seats(
            revoked: revoked,
            milliPercent: milliPercent,
            isAddition: isAddition,
            invitations: .store
        )
        return transaction
    }

    /// Two more seats on day 10 at 7.99 each; Apple marks the first transaction, too.
    private static let added = group(
        "t2",
        from: 10,
        seats: 2,
        for: .yuan(15, fen: 98),
        isAddition: true
    )
    private static let marked = group(isAddition: true)
    private static let bought = StoreEvent.told(.subscribed, on: 0, group())
    private static let more = [
        bought, StoreEvent.told(.seatsChanged, on: 10, added, RenewalTerms(renewsAutomatically: true, seats: 10)),
    ]

    private static func member(_ id: String = "m1", from start: Double = 2) -> StoreTransaction {
        var transaction = StoreTransaction.sold(id, from: start, to: 30, for: nil)
        transaction.isAssigned = true
        return transaction
    }

    @Test(
        "a member's assigned seat is access and no money: no order, no payer, no trial, no refund when the seat is taken away"
    )
    func member() {
        let joined = SubscriptionHistory.outcome(.told(.subscribed, on: 2, Self.member()))
        #expect(joined.books.orders.isEmpty)
        #expect((joined.subscription.state, joined.subscription.isAssigned) == (.active, true))
        #expect(joined.subscription.seats == nil)
        #expect(joined.steps.map(\.warnings) == [[.familyShared]])
        #expect(joined.periods.map(\.isPaid) == [false])

        var taken = Self.member()
        taken.revocation = StoreTransaction.Revocation(at: .day(9))
        let left = SubscriptionHistory.outcome(
            .told(.subscribed, on: 2, Self.member()),
            .told(.revoked, on: 9, taken),
            .told(.observed, on: 10, taken)
        )
        #expect(left.books.orders.isEmpty)
        #expect(left.subscription.state == .revoked)
        #expect(left.subscription.endedAt == .day(9))
        #expect(left.rejections.isEmpty)
    }

    @Test("a member's transaction in the buyer's own history takes the place of nothing that is paid for")
    func memberInTheGroup() throws {
        let outcome = SubscriptionHistory.outcome(Self.bought, .told(.subscribed, on: 2, Self.member()))
        #expect((outcome.subscription.transactionID, outcome.subscription.isAssigned) == ("t1", false))
        #expect(outcome.books.orders.map(\.transactionID) == ["t1"])
        #expect(try outcome.order("t1").amount == .yuan(73, fen: 92))
    }

    @Test(
        "added seats are an order of their own and replace nothing, in any order of arrival, whatever id the store gives both purchases"
    )
    func addition() throws {
        let marked = StoreEvent.told(.autoRenewEnabled, on: 10.5, Self.marked)
        for events in [Self.more + [marked], [marked] + Self.more.reversed()] {
            let outcome = SubscriptionHistory(events).replay()
            #expect(outcome.rejections.isEmpty)
            #expect(try outcome.ledger("t1") == "initial_purchase 73.92")
            #expect(try outcome.ledger("t2") == "upgrade 15.98")
            #expect(outcome.books.orders.map(\.status) == [.completed, .completed])
            #expect(outcome.books.orders.map(\.supersession) == [nil, nil])
            let subscription = outcome.subscription
            #expect((subscription.transactionID, subscription.state) == ("t1", .active))
            #expect((subscription.periodStartsAt, subscription.periodEndsAt) == (.day(0), .day(30)))
            #expect((subscription.seats?.bought, subscription.seats?.revoked, subscription.seats?.next) == (10, 0, 10))
        }
    }

    @Test("added seats raise what each moment costs at once, and fewer at the renewal lower it then")
    func recurring() {
        let renewed = StoreEvent.told(
            .renewed,
            on: 30,
            Self.group("t3", from: 30, to: 60, seats: 5, for: .yuan(49, fen: 95), reason: .renewal),
            RenewalTerms(renewsAutomatically: true, seats: 5)
        )
        let fewer = StoreEvent.told(
            .seatsChanged,
            on: 20,
            Self.marked,
            RenewalTerms(renewsAutomatically: true, seats: 5)
        )
        let before = SubscriptionHistory(Self.more + [fewer]).replay()
        #expect((before.subscription.seats?.bought, before.subscription.seats?.next) == (10, 5))
        #expect(before.subscription.state == .active)
        #expect(before.books.orders.count == 2)
        let outcome = SubscriptionHistory(Self.more + [fewer, renewed]).replay()
        #expect(
            outcome.periods.map { "\($0.startsAt.timeIntervalSince(.day(0)) / 86_400) \($0.price?.decimalText ?? "-")" }
                == ["0.0 73.92", "10.0 89.90", "30.0 49.95"]
        )
        #expect(outcome.periods.map(\.transactionID) == ["t1", "t1", "t3"])
        #expect(outcome.periods.map(\.length) == Array(repeating: outcome.periods[0].length, count: 3))
        #expect((outcome.subscription.seats?.bought, outcome.subscription.seats?.next) == (5, 5))
    }

    @Test("added seats whose first purchase is told of later are no period of their own")
    func baseLater() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.seatsChanged, on: 10, Self.added),
            .told(.observed, on: 11, Self.marked)
        )
        #expect((outcome.subscription.transactionID, outcome.subscription.seats?.bought) == ("t1", 10))
        #expect((outcome.subscription.periodStartsAt, outcome.subscription.startedAt) == (.day(0), .day(0)))
        #expect(outcome.periods.map(\.startsAt) == [.day(0), .day(10)])
        #expect(outcome.periods.map(\.price) == [.yuan(73, fen: 92), .yuan(89, fen: 90)])
        #expect(Set(outcome.periods.map(\.length)).count == 1)
        #expect(outcome.subscription.seats?.lacksPart == false)
        let alone = SubscriptionHistory.outcome(.told(.seatsChanged, on: 10, Self.added))
        #expect(alone.subscription.seats?.lacksPart == true)
    }

    @Test(
        "refunded seats leave the purchase: the order is partially refunded by the average, marked as an estimate, and access stays"
    )
    func seatsRefunded() throws {
        let told = [Self.bought, StoreEvent.told(.seatsRefunded, on: 12, Self.group(revoked: 3))]
        let outcome = SubscriptionHistory(told).replay()
        #expect((outcome.subscription.state, outcome.subscription.seats?.revoked) == (.active, 3))
        let order = try outcome.order("t1")
        // 73.92 x 3 / 8
        #expect(try outcome.ledger("t1") == "initial_purchase 73.92, refund -27.72")
        #expect((order.status, order.revokedSeats, order.isRefundEstimated) == (.partiallyRefunded, 3, true))
        #expect(outcome.periods.map(\.price) == [.yuan(73, fen: 92), .yuan(46, fen: 20)])
        #expect(outcome.periods.map(\.startsAt) == [.day(0), .day(12)])

        // Said again, and in passing by another message: the same refund.
        let again = SubscriptionHistory(
            told + [
                .told(.seatsRefunded, on: 13, Self.group(revoked: 3)), .told(.observed, on: 14, Self.group(revoked: 3)),
                .told(.autoRenewDisabled, on: 15, Self.group()),
            ]
        ).replay()
        #expect(try again.ledger("t1") == "initial_purchase 73.92, refund -27.72")
        #expect(again.subscription.seats?.revoked == 3)
    }

    @Test("what is said of refunded seats is the sum so far, and the store's share of it beats the estimate")
    func sumSoFar() throws {
        let told = [
            Self.bought, .told(.seatsRefunded, on: 12, Self.group(revoked: 3)),
            .told(.seatsRefunded, on: 15, Self.group(revoked: 4)),
        ]
        let four = SubscriptionHistory(told).replay()
        #expect(try four.ledger("t1") == "initial_purchase 73.92, refund -27.72, refund -9.24")
        #expect(try four.order("t1").isRefundEstimated)
        let exact = SubscriptionHistory(
            told + [.told(.seatsRefunded, on: 16, Self.group(revoked: 4, milliPercent: 45_000))]
        ).replay()
        #expect(try exact.order("t1").refunded == .yuan(33, fen: 26))
        #expect(try !exact.order("t1").isRefundEstimated)
        #expect(try exact.order("t1").revokedSeats == 4)
        // A refund that was taken back.
        let none = SubscriptionHistory(told + [.told(.refundReversed, on: 20, Self.group())]).replay()
        #expect(try none.order("t1").refunded == .yuan(0))
        #expect(try (none.order("t1").status, none.order("t1").revokedSeats) == (.completed, 0))
        #expect(none.subscription.seats?.revoked == 0)
    }

    @Test("access ends only when every transaction of the period is taken back, by whichever message that comes")
    func takenBack() throws {
        let first = StoreEvent.told(.refunded, on: 15, Self.marked.takenBack(on: 15))
        let half = SubscriptionHistory(Self.more + [first]).replay()
        #expect(half.subscription.state == .active)
        #expect((half.subscription.seats?.bought, half.subscription.seats?.revoked) == (10, 8))
        #expect(try half.order("t1").status == .refunded)
        #expect(try half.order("t2").status == .completed)
        #expect(half.periods.map(\.price) == [.yuan(73, fen: 92), .yuan(89, fen: 90), .yuan(15, fen: 98)])
        #expect(half.periods.map(\.refundedAt) == [nil, nil, nil])

        for kind in [StoreEvent.Kind.refunded, .seatsRefunded, .observed] {
            let all = SubscriptionHistory(Self.more + [first, .told(kind, on: 20, Self.added.takenBack(on: 20))])
                .replay()
            #expect(all.subscription.state == .revoked)
            #expect(all.subscription.endedAt == .day(20))
            #expect(all.books.orders.map(\.status) == [.refunded, .refunded])
            #expect(Set(all.periods.map(\.refundedAt)) == [.day(20)])
        }
        // The refund of the first is taken back: access goes on.
        let back = SubscriptionHistory(
            Self.more + [
                first, .told(.refunded, on: 16, Self.added.takenBack(on: 16)),
                .told(.refundReversed, on: 17, Self.marked),
            ]
        ).replay()
        #expect(back.subscription.state == .active)
        #expect(try back.order("t1").status == .completed)
    }

    @Test("seats whose refund is told before their price is known are given back when it is, at most all of them")
    func priceLater() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Self.group(for: nil)),
            .told(.seatsRefunded, on: 12, Self.group(for: nil, revoked: 2)),
            .told(.observed, on: 13, Self.group())
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 73.92, refund -18.48")
        let nothing = SubscriptionHistory.outcome(Self.bought, .told(.seatsRefunded, on: 12, Self.group()))
        #expect(try nothing.ledger("t1") == "initial_purchase 73.92")
        #expect(nothing.steps.last?.warnings == [.seatRefundWithoutAmount])
        #expect(nothing.subscription.state == .active)
    }

    @Test("an upgrade after seats were added takes the place of both purchases")
    func upgraded() throws {
        let outcome = SubscriptionHistory(
            Self.more + [
                .told(
                    .upgraded,
                    on: 20,
                    .sold("t4", from: 20, to: 385, for: .yuan(500), "pro.yearly", reason: .purchase)
                )
            ]
        ).replay()
        #expect(try outcome.order("t1").supersession?.at == .day(20))
        #expect(try outcome.order("t2").supersession?.at == .day(20))
        #expect(try outcome.order("t4").supersession == nil)
        #expect(outcome.subscription.transactionID == "t4")
        #expect(outcome.subscription.seats == nil)
    }

    @Test("a failed charge of a period of two purchases is one, whichever of them it names")
    func failed() {
        let told =
            Self.more + [
                .told(.gracePeriodEntered, on: 30, Self.marked, .grace(until: 36)),
                .told(.billingRetryEntered, on: 31, Self.added),
            ]
        let outcome = SubscriptionHistory(told).replay()
        #expect(outcome.failedCharges(of: SubscriptionHistory(told).settled).count == 1)
        #expect(FailedCharge.derived(from: told).count == 1)
    }
}
