import Billing
import Foundation
import Testing

@Suite("the books")
struct LedgerTests {
    let first = StoreTransaction.sold("t1", from: 0, to: 30, for: .yuan(128))
    var bought: StoreEvent { .told(.subscribed, on: 0, first) }

    @Test(
        "each kind of charge has its word in the ledger",
        arguments: [
            (StoreEvent.Kind.subscribed, nil, LedgerEntry.Kind.initialPurchase), (.resubscribed, nil, .initialPurchase),
            (.purchasedOnce, nil, .initialPurchase), (.renewed, nil, .renewal), (.recovered, nil, .renewal),
            (.upgraded, nil, .upgrade), (.offerRedeemed, .purchase, .initialPurchase),
            (.offerRedeemed, .renewal, .renewal),
            (.offerRedeemed, nil, .initialPurchase),
        ] as [(StoreEvent.Kind, StoreTransaction.Reason?, LedgerEntry.Kind)]
    )
    func words(_ kind: StoreEvent.Kind, _ reason: StoreTransaction.Reason?, _ word: LedgerEntry.Kind) throws {
        let sold = StoreTransaction.sold("t1", from: 0, to: 30, reason: reason)
        let order = try SubscriptionHistory.outcome(.told(kind, on: 0, sold)).order("t1")
        #expect(order.entries.map(\.kind) == [word])
        #expect(kind.charges)
    }

    @Test("no other kind charges", arguments: StoreEvent.Kind.allCases.filter { !$0.charges })
    func noCharge(_ kind: StoreEvent.Kind) {
        #expect(SubscriptionHistory.outcome(.told(kind, on: 1, first)).books.orders.isEmpty)
    }

    @Test("an order is what the store sold")
    func order() throws {
        let order = try SubscriptionHistory.outcome(bought).order("t1")
        let entry = LedgerEntry(
            kind: .initialPurchase,
            amount: .yuan(128),
            occurredAt: .day(0),
            reference: "charge",
            eventID: bought.id
        )
        let expected = BookedOrder(
            transactionID: "t1",
            productID: "pro.monthly",
            amount: .yuan(128),
            purchasedAt: .day(0),
            periodStartsAt: .day(0),
            periodEndsAt: .day(30),
            storefront: "CHN",
            entries: [entry]
        )
        #expect(order == expected)
    }

    @Test("a price told later opens the order")
    func priceToldLater() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30, for: nil)),
            .told(.subscribed, on: 2, first)
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 128.00")
    }

    @Test(
        "a share is rounded half up to the fen",
        arguments: [
            (50_000, 12_800, 6_400), (33_333, 12_800, 4_267), (50_000, 1, 1), (49_999, 1, 0), (12_500, 100, 13),
            (100_000, 12_800, 12_800), (0, 12_800, 0), (66_667, 1_800, 1_200),
        ]
    )
    func share(_ milliPercent: Int, _ charge: Int64, _ refund: Int64) throws {
        let amount = Money(minorUnits: charge, currency: .cny)
        let revocation = StoreTransaction.Revocation(at: .day(1), milliPercent: milliPercent)
        #expect(try revocation.refund(of: amount).minorUnits == refund)
    }

    @Test("the same share told again is the same refund, and all of it takes what is left")
    func secondRefund() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, first.takenBack(on: 3, milliPercent: 60_000)),
            .told(.refunded, on: 5, first.takenBack(on: 5, milliPercent: 60_000)),
            .told(.refunded, on: 7, first.takenBack(on: 7))
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 128.00, refund -76.80, refund -51.20")
        #expect(try outcome.order("t1").status == .refunded)
        #expect(try outcome.order("t1").kept == .yuan(0))
        #expect(outcome.steps.map(\.warnings) == [[], [], [.alreadyRefunded], []])
    }

    @Test("a refund told twice by different messages is one refund")
    func refundToldTwice() throws {
        let refunded = first.takenBack(on: 3, milliPercent: 40_000)
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, refunded),
            .told(.refunded, on: 4, refunded)
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 128.00, refund -51.20")
        #expect(outcome.steps.last?.warnings == [.alreadyRefunded])
    }

    @Test("a refund without its charge is said, moves the state, and is booked when the charge is found")
    func refundWithoutCharge() throws {
        let refund = StoreEvent.told(.refunded, on: 3, first.takenBack(on: 3))
        let alone = SubscriptionHistory.outcome(refund)
        #expect(alone.books.orders.isEmpty)
        #expect(alone.steps[0].rejectionReason == nil)
        #expect(alone.steps[0].warnings == [.refundWithoutCharge])
        #expect(alone.subscription.state == .revoked)
        let found = SubscriptionHistory.outcome(refund, bought)
        #expect(try found.ledger("t1") == "initial_purchase 128.00, refund -128.00")
        #expect(found.subscription.state == .revoked)
    }

    @Test("a waiting refund that turns out to be in another currency is dropped and said; the charge stands")
    func waitingRefundDropped() throws {
        var refunded = first.takenBack(on: 3)
        refunded.price = Money(minorUnits: 12_800, currency: .named("TRY"))
        let outcome = SubscriptionHistory.outcome(.told(.refunded, on: 3, refunded), .told(.subscribed, on: 9, first))
        #expect(try outcome.ledger("t1") == "initial_purchase 128.00")
        #expect(outcome.steps.last?.warnings == [.waitingRefundDropped])
    }

    @Test("a charge signed after its refund (from the store's history) still has the refund on it, once")
    func chargeSignedAfterRefund() throws {
        let refunded = first.takenBack(on: 3)
        let outcome = SubscriptionHistory.outcome(
            .told(.refunded, on: 3, refunded),
            .told(.subscribed, on: 9, refunded, id: "from the store's history")
        )
        #expect(try outcome.ledger("t1") == "initial_purchase 128.00, refund -128.00")
        #expect(outcome.subscription.state == .revoked)
        #expect(outcome.subscription.endedAt == .day(3))
    }

    @Test("a purchase that is first heard of when it was refunded gives no access and keeps no money")
    func restoredRefundedPurchase() throws {
        let outcome = SubscriptionHistory.outcome(.told(.subscribed, on: 9, first.takenBack(on: 3)))
        #expect(outcome.subscription.state == .revoked)
        #expect(try outcome.ledger("t1") == "initial_purchase 128.00, refund -128.00")
    }

    @Test("a reversal returns all partial refunds, once")
    func reversal() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, first.takenBack(on: 3, milliPercent: 10_000)),
            .told(.refunded, on: 4, first.takenBack(on: 4, milliPercent: 20_000)),
            .told(.refundReversed, on: 5, first),
            .told(.refundReversed, on: 6, first)
        )
        #expect(
            try outcome.ledger("t1") == "initial_purchase 128.00, refund -12.80, refund -12.80, refund_reversal 25.60"
        )
        #expect(outcome.steps.last?.warnings == [.nothingToReverse])
    }

    @Test("refunded, reversed and refunded again with the old date is booked again under its own name")
    func refundedAgain() throws {
        let refunded = first.takenBack(on: 3)
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3, refunded),
            .told(.refundReversed, on: 5, first),
            .told(.refunded, on: 8, refunded)
        )
        let order = try outcome.order("t1")
        #expect(order.kept == .yuan(0))
        #expect(Set(order.entries.map(\.reference)).count == 4)
        #expect(order.entries.map(\.reference).last == "refund:1735948800000-2")
    }

    @Test("a partial refund that arrives after the full one was booked corrects the full one by a new row")
    func correction() throws {
        let partial = StoreEvent.told(.refunded, on: 3, first.takenBack(on: 3, milliPercent: 60_000))
        let full = StoreEvent.told(.refunded, on: 5, first.takenBack(on: 5))
        let booked = try SubscriptionHistory.outcome(bought, full).order("t1")
        let stored = Dictionary(uniqueKeysWithValues: booked.entries.map { ($0.reference, $0.amount) })
        #expect(booked.entries(missingFrom: stored, dueTo: full).isEmpty)
        let order = try SubscriptionHistory.outcome(bought, partial, full).order("t1")
        let added = order.entries(missingFrom: stored, dueTo: partial)
        let missing = LedgerEntry(
            kind: .refund,
            amount: .yuan(-76, fen: -80),
            occurredAt: .day(3),
            reference: "refund:1735948800000",
            eventID: partial.id
        )
        let correction = LedgerEntry(
            kind: .refundReversal,
            amount: .yuan(76, fen: 80),
            occurredAt: .day(5),
            reference: "refund:1736121600000:corrected-1",
            eventID: partial.id
        )
        #expect(added == [missing, correction])
    }

    @Test("references name entries by their date, the same on every replay")
    func references() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 3.5, first.takenBack(on: 3)),
            .told(.refundReversed, on: 5, first)
        )
        let references = try outcome.order("t1").entries.map(\.reference)
        #expect(references == ["charge", "refund:1735948800000", "reversal:1736121600000"])
    }

    @Test("a refund date beyond all calendars is refused, not trapped on, and the charge stands")
    func absurdDate() throws {
        var refunded = first
        refunded.revocation = StoreTransaction.Revocation(at: Date(timeIntervalSince1970: 1e300))
        let outcome = SubscriptionHistory.outcome(bought, .told(.refunded, on: 3, refunded))
        #expect(outcome.rejections == [.dateOutOfRange])
        #expect(try outcome.order("t1").status == .completed)
    }

    @Test("an order that has no entries is pending")
    func pending() {
        let order = BookedOrder(
            transactionID: "t1",
            productID: "pro",
            amount: .yuan(1),
            purchasedAt: .day(0),
            periodStartsAt: .day(0),
            periodEndsAt: nil,
            storefront: nil,
            entries: []
        )
        #expect(order.status == .pending)
        #expect(order.refunded == .yuan(0))
    }

    @Test("the highest price that the books take is booked and refunded")
    func greatestPrice() throws {
        let price = Money(minorUnits: Money.highestPrice, currency: .cny)
        let most = StoreTransaction.sold("t1", from: 0, to: 30, for: price)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, most),
            .told(.refunded, on: 1, most.takenBack(on: 1, milliPercent: 99_999)),
            .told(.refundReversed, on: 2, most),
            .told(.refunded, on: 3, most.takenBack(on: 3))
        )
        #expect(try outcome.order("t1").refunded == price)
        #expect(try outcome.order("t1").kept.minorUnits == 0)
    }
}
