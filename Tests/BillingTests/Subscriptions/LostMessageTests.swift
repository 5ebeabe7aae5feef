import Billing
import Foundation
import Testing

/// What a message says beside what happened stands in for the messages before it that never came.
@Suite("messages that never came")
struct LostMessageTests {
    private let first = StoreTransaction.sold("t1", from: 0, to: 30)
    private let bought = StoreEvent.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30), .renews())

    private func later(
        _ kind: StoreEvent.Kind = .priceIncreasePending,
        on day: Double,
        _ transaction: StoreTransaction? = nil,
        _ terms: RenewalTerms? = nil,
        status: StoreEvent.Status
    ) -> StoreEvent {
        var event = StoreEvent.told(kind, on: day, transaction ?? first, terms)
        event.status = status
        return event
    }

    @Test(
        "a refund of which another message tells takes access away and is booked once, also when its own message comes late"
    )
    func refund() throws {
        let passing = later(.autoRenewDisabled, on: 9, first.takenBack(on: 5, milliPercent: 50_000), status: .revoked)
        let without = SubscriptionHistory.outcome(bought, passing)
        #expect(without.subscription.state == .revoked)
        #expect(without.subscription.endedAt == .day(5))
        #expect(try without.ledger("t1") == "initial_purchase 18.00, refund -9.00")
        #expect(without.periods.map(\.endsAt) == [.day(5)])
        #expect(without.periods.map(\.ending) == [.refunded])
        let own = StoreEvent.told(.refunded, on: 5.1, first.takenBack(on: 5, milliPercent: 50_000))
        let with = SubscriptionHistory.outcome(bought, own, passing)
        #expect(try with.order("t1").entries.map(\.reference) == without.order("t1").entries.map(\.reference))
        #expect(with.subscription.endedAt == without.subscription.endedAt)
        #expect(with.steps.flatMap(\.warnings).isEmpty)
    }

    @Test("status 5 without a word of a refund takes access away, and no money")
    func revoked() throws {
        let outcome = SubscriptionHistory.outcome(bought, later(on: 9, status: .revoked))
        #expect(outcome.subscription.state == .revoked)
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00")
    }

    @Test(
        "a refund of an older transaction that another message tells of is booked and leaves the current period alone"
    )
    func olderRefund() throws {
        let renewed = StoreEvent.told(.renewed, on: 30, .sold("t2", from: 30, to: 60))
        let passing = later(.refundDeclined, on: 40, first.takenBack(on: 35), status: .active)
        let outcome = SubscriptionHistory.outcome(bought, renewed, passing)
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.transactionID == "t2")
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00, refund -18.00")
    }

    @Test("a refund that was taken back gives access again when the store calls the subscription active")
    func reversal() throws {
        let refunded = StoreEvent.told(.refunded, on: 5, first.takenBack(on: 5))
        let outcome = SubscriptionHistory.outcome(bought, refunded, later(on: 9, status: .active))
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.endedAt == nil)
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00, refund -18.00, refund_reversal 18.00")
        #expect(outcome.periods.allSatisfy { $0.refundedAt == nil })
    }

    @Test("a grace period of which only a later message tells gives access until its end")
    func gracePeriod() {
        let outcome = SubscriptionHistory.outcome(bought, later(on: 33, nil, .grace(until: 46), status: .gracePeriod))
        #expect(outcome.subscription.state == .gracePeriod)
        #expect(outcome.subscription.hasAccess(at: .day(45)))
        #expect(!outcome.subscription.hasAccess(at: .day(46)))
        let retried = SubscriptionHistory.outcome(
            bought,
            .told(.billingRetryEntered, on: 30, first),
            later(on: 33, nil, .grace(until: 46), status: .gracePeriod)
        )
        #expect(retried.subscription.hasAccess(at: .day(45)))
    }

    @Test("a charge that fails before the paid end takes nothing away before it")
    func early() {
        let outcome = SubscriptionHistory.outcome(bought, later(.billingRetryEntered, on: 29, status: .active))
        #expect(outcome.subscription.hasAccess(at: .day(29.9)))
        #expect(outcome.subscription.state(at: .day(30)) == .billingRetry)
    }

    @Test("a charge that fails after the end changes nothing, and nobody has to look at it")
    func late() {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.expired, on: 30, first),
            .told(.billingRetryEntered, on: 31, first)
        )
        #expect(outcome.rejections.isEmpty)
        #expect(outcome.subscription.state == .expired)
    }

    @Test(
        "the store's own account ends what no message has ended",
        arguments: [
            (StoreEvent.Status.expired, Subscription.State.expired), (.billingRetry, .billingRetry),
        ]
    )
    func ended(_ status: StoreEvent.Status, _ state: Subscription.State) {
        let outcome = SubscriptionHistory.outcome(bought, later(on: 31, status: status))
        #expect(outcome.subscription.state == state)
        // What is still paid for, no account of the store's ends but a revocation.
        let before = SubscriptionHistory.outcome(bought, later(on: 20, status: status))
        #expect(before.subscription.hasAccess(at: .day(21)))
    }

    @Test("an extension of which only a later message tells moves the end, and the order's")
    func extended() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.expired, on: 30, first),
            later(on: 31, .sold("t1", from: 0, to: 44), status: .active)
        )
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.periodEndsAt == .day(44))
        #expect(try outcome.order("t1").periodEndsAt == .day(44))
    }

    @Test("what the store does not say of the renewal is not taken for off")
    func unknownRenewal() {
        var terms = RenewalTerms.renews(next: "premium.monthly")
        terms.renewsAutomatically = nil
        let outcome = SubscriptionHistory.outcome(bought, .told(.downgradeScheduled, on: 3, first, terms))
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.renewsAutomatically)
        #expect(outcome.subscription.nextProductID == "premium.monthly")
    }

    @Test(
        "the account follows the newest period, and an order is of whoever bought it",
        arguments: [
            StoreEvent.Kind.refunded, .refundRequested, .refundDeclined, .refundReversed,
        ]
    )
    func accounts(_ kind: StoreEvent.Kind) throws {
        let (ada, eve) = (UUID(), UUID())
        var (mine, hers) = (first, StoreTransaction.sold("t2", from: 100, to: 130))
        (mine.customerToken, hers.customerToken) = (ada, eve)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, mine),
            .told(.expired, on: 30, mine),
            .told(.resubscribed, on: 100, hers),
            .told(kind, on: 105, kind == .refunded ? mine.takenBack(on: 105) : mine)
        )
        #expect(outcome.subscription.customerToken == eve)
        #expect(try outcome.order("t1").customerToken == ada)
        #expect(try outcome.order("t2").customerToken == eve)
    }

    @Test("that a charge was an upgrade is known by whichever message says so")
    func upgrade() throws {
        let second = StoreTransaction.sold("t2", from: 10, to: 40, "premium.monthly", reason: .purchase)
        let offer = StoreEvent.told(.offerRedeemed, on: 10, second)
        let upgraded = StoreEvent.told(.upgraded, on: 10.1, second)
        for events in [[bought, offer, upgraded], [upgraded, offer, bought]] {
            #expect(try SubscriptionHistory(events).replay().order("t2").kind == .upgrade)
        }
    }

    @Test(
        "a purchase that does not renew ends after the catalogue's period, as often as it was bought",
        arguments: [
            (1, BillingPeriod(1, .month), 31.0), (3, BillingPeriod(1, .month), 90), (2, BillingPeriod(1, .week), 14),
        ]
    )
    func nonRenewing(_ quantity: Int, _ period: BillingPeriod, _ end: Double) throws {
        var transaction = StoreTransaction.sold("t1", from: 0, to: nil, "season", kind: .nonRenewing)
        transaction.quantity = quantity
        let event = StoreEvent.told(.purchasedOnce, on: 0, transaction)
        let completed = try #require(try event.completed(with: period))
        #expect(completed.transaction.expiresAt == .day(end))
        let subscription = SubscriptionHistory([completed]).replay().subscription
        #expect(subscription.hasAccess(at: .day(end - 0.1)) && !subscription.hasAccess(at: .day(end)))
        #expect(try completed.completed(with: period) == nil)
    }

    @Test("without a period in the catalogue, or beyond every calendar, there is no end")
    func noEnd() {
        var transaction = StoreTransaction.sold("t1", from: 0, to: nil, "season", kind: .nonRenewing)
        let refused = #expect(throws: TransitionRefused.self) {
            try StoreEvent.told(.purchasedOnce, on: 0, transaction).completed(with: nil)
        }
        #expect(refused?.code == .endMissing)
        for quantity in [Int.max, 100_000] {
            transaction.quantity = quantity
            let refused = #expect(throws: TransitionRefused.self) {
                try StoreEvent.told(.purchasedOnce, on: 0, transaction).completed(with: BillingPeriod(1, .year))
            }
            #expect(refused?.code == .dateOutOfRange)
        }
    }

    @Test("an identifier that no index can hold is refused, whichever it is")
    func identifiers() {
        for text in [String(repeating: "9", count: 256), "1\0"] {
            var events = [bought, bought, bought, bought]
            events[0].id = text
            events[1].transaction.id = text
            events[2].transaction.originalID = text
            events[3].transaction.productID = text
            for event in events {
                let refused = #expect(throws: TransitionRefused.self) { try event.requireKeepable() }
                #expect(refused?.code == .identifierUnusable)
            }
        }
    }
}
