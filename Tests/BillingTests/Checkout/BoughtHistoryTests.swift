import Foundation
import Testing

@testable import Billing

@Suite("A history of periods that were bought one by one")
struct BoughtHistoryTests {
    @Test("a period that was bought ahead begins where the running one ends, and the money is of the day it was paid")
    func stacked() throws {
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            Self.paid(.renewed, "c", on: 6, from: 60, to: 90)
        )
        #expect(outcome.steps.compactMap(\.rejectionReason?.message) == [])
        #expect(outcome.subscription.state == .active && outcome.subscription.periodEndsAt == .day(90))
        #expect(!outcome.subscription.renewsAutomatically)
        #expect(outcome.periods.map(\.startsAt) == [.day(0), .day(30), .day(60)])
        #expect(outcome.periods.map(\.endsAt) == [.day(30), .day(60), .day(90)])
        #expect(outcome.books.orders.map(\.purchasedAt) == [.day(0), .day(5), .day(6)])
        #expect(outcome.books.orders.map(\.periodStartsAt) == [.day(0), .day(30), .day(60)])
        #expect(try outcome.ledger("b") == "renewal 18.00")
        #expect(try outcome.order("b").entries.map(\.occurredAt) == [.day(5)])
        #expect(outcome.books.orders.map(\.status) == [.completed, .completed, .completed])
    }

    @Test("between two periods that do not meet there is no access, and the second is a new purchase")
    func gap() throws {
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.resubscribed, "b", on: 45, from: 45, to: 75)
        )
        #expect(outcome.periods.map(\.startsAt) == [.day(0), .day(45)])
        #expect(outcome.periods.map(\.endsAt) == [.day(30), .day(75)])
        #expect(try outcome.ledger("b") == "initial_purchase 18.00")
    }

    @Test(
        "an upgrade ends the running period and those that were bought ahead; nothing is credited, for it was taken off the price"
    )
    func upgrade() throws {
        var upgrade = Self.paid(.upgraded, "c", on: 10, from: 10, to: 40, for: .yuan(4), "premium.monthly")
        upgrade.transaction.wholePrice = .yuan(28)
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            upgrade
        )
        #expect(outcome.periods.map(\.transactionID) == ["a", "c"])
        #expect(outcome.periods.map(\.endsAt) == [.day(10), .day(40)])
        // The price of a month of it, whatever part of that was paid before.
        #expect(outcome.periods.map(\.price) == [.yuan(18), .yuan(28)])
        #expect(outcome.books.orders.map(\.status) == [.superseded, .superseded, .completed])
        #expect(outcome.books.orders.map(\.supersession?.at) == [.day(10), .day(10), nil])
        #expect(try outcome.ledger("c") == "upgrade 4.00")
        #expect(outcome.books.orders.map(\.credited.minorUnits) == [0, 0, 0])
    }

    @Test("a period that had ended before an upgrade, or was bought after it, is not replaced by it")
    func upgradeOfAnother() {
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            Self.paid(.upgraded, "c", on: 40, from: 40, to: 70, for: .yuan(28), "premium.monthly"),
            Self.paid(.renewed, "d", on: 41, from: 70, to: 100, for: .yuan(28), "premium.monthly")
        )
        #expect(outcome.books.orders.map(\.status) == [.completed, .superseded, .completed, .completed])
        #expect(outcome.periods.map(\.endsAt) == [.day(30), .day(40), .day(70), .day(100)])
    }

    @Test("what was paid a second earlier and is settled later comes after what was settled first")
    func settledLater() {
        var earlier = Self.paid(.renewed, "b", on: 0.001, from: 31, to: 61)
        earlier.transaction.purchasedAt = .day(0)
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0.000_5, from: 1, to: 31),
            earlier
        )
        #expect(outcome.subscription.periodEndsAt == .day(61))
        #expect(outcome.periods.map(\.transactionID) == ["a", "b"])
    }

    @Test("two purchases of one product in the same second are two")
    func twiceAtOnce() {
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 0, from: 30, to: 60)
        )
        #expect(outcome.books.orders.map(\.transactionID) == ["a", "b"])
        #expect(outcome.periods.map(\.endsAt) == [.day(30), .day(60)])
    }

    @Test("a period that was bought ahead and is refunded takes nothing from the running one")
    func refundedAhead() throws {
        var refund = Self.paid(.refunded, "b", on: 8, from: 30, to: 60)
        refund.transaction.revocation = StoreTransaction.Revocation(at: .day(8))
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            refund,
            Self.paid(.renewed, "c", on: 9, from: 30, to: 60)
        )
        #expect(outcome.subscription.state == .active && outcome.subscription.transactionID == "c")
        #expect(outcome.periods.map(\.transactionID) == ["a", "c"])
        #expect(outcome.periods.map(\.endsAt) == [.day(30), .day(60)])
        #expect(try outcome.order("b").status == .refunded)
        let before = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            refund
        )
        #expect(before.subscription.state == .active && before.subscription.periodEndsAt == .day(30))
        #expect(before.periods.map(\.transactionID) == ["a"])
    }

    @Test("periods bought ahead that are taken back at their beginning leave the running one, one after the other")
    func refundedAtItsBeginning() {
        func refund(_ id: String, signedOn day: Double, from start: Double, to end: Double) -> StoreEvent {
            var refund = Self.paid(.refunded, id, on: day, from: start, to: end)
            refund.transaction.revocation = StoreTransaction.Revocation(at: .day(start), milliPercent: 0)
            return refund
        }
        let bought = [
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30), Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            Self.paid(.renewed, "c", on: 6, from: 60, to: 90),
        ]
        let last = refund("c", signedOn: 8, from: 60, to: 90)
        for (refunds, end) in [
            ([last], 60.0), ([refund("b", signedOn: 8, from: 30, to: 60), last], 30),
            ([last, refund("b", signedOn: 9, from: 30, to: 60)], 30),
        ] {
            let outcome = SubscriptionHistory(bought + refunds).replay()
            #expect(outcome.subscription.state == .active)
            #expect(outcome.periods.compactMap(\.endsAt).max() == .day(end))
            #expect(outcome.periods.first?.startsAt == .day(0))
            #expect(outcome.subscription.periodEndsAt == .day(end))
        }
    }

    @Test("the running period of a stack is given back: it ends then, and those behind it begin earlier")
    func refundedRunning() throws {
        var refund = Self.paid(.refunded, "a", on: 8, from: 0, to: 30)
        refund.transaction.purchasedAt = .day(0)
        refund.transaction.revocation = StoreTransaction.Revocation(at: .day(8), milliPercent: 0)
        var moves = [("b", 5.0, 8.0, 38.0), ("c", 6, 38, 68)].map { id, bought, start, end in
            var move = Self.paid(.periodMoved, id, on: 8, from: start, to: end)
            move.transaction.purchasedAt = .day(bought)
            move.transaction.price = nil
            return move
        }
        moves[0].signedAt = .day(8).addingTimeInterval(0.001)
        moves[1].signedAt = .day(8).addingTimeInterval(0.002)
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            Self.paid(.renewed, "c", on: 6, from: 60, to: 90),
            refund,
            moves[0],
            moves[1],
            Self.paid(.renewed, "d", on: 9, from: 68, to: 98)
        )
        #expect(outcome.steps.compactMap(\.rejectionReason?.message) == [])
        #expect(outcome.subscription.state == .active && outcome.subscription.periodEndsAt == .day(98))
        #expect(outcome.periods.map(\.transactionID) == ["a", "b", "c", "d"])
        #expect(outcome.periods.map(\.startsAt) == [.day(0), .day(8), .day(38), .day(68)])
        #expect(outcome.periods.map(\.endsAt) == [.day(8), .day(38), .day(68), .day(98)])
        #expect(outcome.periods.map(\.ending) == [.refunded, nil, nil, nil])
        #expect(outcome.books.orders.map(\.periodStartsAt) == [.day(0), .day(8), .day(38), .day(68)])
        #expect(outcome.books.orders.map(\.periodEndsAt) == [.day(30), .day(38), .day(68), .day(98)])
        // The money is booked by its request.
        #expect(outcome.books.orders.map(\.status) == [.completed, .completed, .completed, .completed])
    }

    @Test("a first period that was bought ahead gives access when it begins, and none before")
    func ahead() {
        let bought = SubscriptionHistory.outcome(Self.paid(.subscribed, "a", on: 0, from: 31, to: 62))
        let subscription = bought.subscription
        #expect(subscription.state == .active && subscription.accessStartsAt == .day(31))
        for day in [0, 10, 30.999] {
            #expect(subscription.state(at: .day(day)) == .pending && !subscription.hasAccess(at: .day(day)))
            #expect(subscription.isAhead(at: .day(day)) && subscription.isLive(at: .day(day)))
        }
        #expect(subscription.state(at: .day(31)) == .active && subscription.hasAccess(at: .day(61)))
        #expect(subscription.state(at: .day(62)) == .expired && !subscription.isLive(at: .day(62)))
    }

    @Test("of periods that meet access began with the first; a gap ahead takes nothing from what runs")
    func beginnings() {
        func start(_ events: StoreEvent...) -> Date? {
            SubscriptionHistory(events).replay().subscription.accessStartsAt
        }
        let first = Self.paid(.subscribed, "a", on: 0, from: 0, to: 30)
        #expect(start(first, Self.paid(.renewed, "b", on: 5, from: 30, to: 60)) == .day(0))
        #expect(start(first, Self.paid(.upgraded, "b", on: 5, from: 5, to: 60, "premium.monthly")) == .day(0))
        #expect(start(first, Self.paid(.renewed, "b", on: 5, from: 45, to: 75)) == .day(0))
        #expect(start(first, Self.paid(.resubscribed, "b", on: 40, from: 45, to: 75)) == .day(45))
        var refund = Self.paid(.refunded, "a", on: 8, from: 0, to: 30)
        refund.transaction.purchasedAt = .day(0)
        refund.transaction.revocation = StoreTransaction.Revocation(at: .day(8), milliPercent: 0)
        // The period behind it stays where it is, behind a purchase at another store.
        #expect(start(first, Self.paid(.renewed, "b", on: 5, from: 30, to: 60), refund) == .day(30))
        var later = Self.paid(.refunded, "b", on: 8, from: 30, to: 60)
        later.transaction.revocation = StoreTransaction.Revocation(at: .day(30), milliPercent: 0)
        #expect(start(first, Self.paid(.renewed, "b", on: 5, from: 30, to: 60), later) == .day(0))
    }

    @Test("an upgrade at another store ends all of it, and its orders are replaced")
    func upgradedElsewhere() {
        let ends = ["a", "b"].map { id in
            var end = Self.paid(.expired, id, on: 10, from: id == "a" ? 0 : 30, to: id == "a" ? 30 : 60)
            end.transaction.purchasedAt = id == "a" ? .day(0) : .day(5)
            end.transaction.isUpgraded = true
            return end
        }
        let outcome = SubscriptionHistory.outcome(
            Self.paid(.subscribed, "a", on: 0, from: 0, to: 30),
            Self.paid(.renewed, "b", on: 5, from: 30, to: 60),
            ends[0],
            ends[1]
        )
        #expect(outcome.steps.compactMap(\.rejectionReason?.message) == [])
        #expect(outcome.subscription.state == .expired)
        #expect(outcome.periods.map(\.endsAt) == [.day(10)])
        #expect(outcome.books.orders.map(\.status) == [.superseded, .superseded])
    }

    private static func paid(
        _ kind: StoreEvent.Kind,
        _ id: String,
        on day: Double,
        from start: Double,
        to end: Double,
        for price: Money = .yuan(18),
        _ product: String = "pro.monthly"
    ) -> StoreEvent {
        StoreEvent(
            id: "\(kind.rawValue) \(id)",
            store: .wechat,
            environment: .production,
            signedAt: .day(day),
            kind: kind,
            transaction: {
                var transaction = StoreTransaction(
                    id: id,
                    originalID: "a",
                    productID: product,
                    kind: .nonRenewing,
                    purchasedAt: .day(day),
                    expiresAt: .day(end),
                    price: price,
                    reason: .purchase,
                    purchaseID: "number \(id)"
                )
                transaction.startsAt = .day(start)
                return transaction
            }()
        )
    }
}
