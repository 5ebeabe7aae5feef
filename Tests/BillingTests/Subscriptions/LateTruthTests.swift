import Billing
import Foundation
import Testing

@Suite("what is told late, or not at all, comes right")
struct LateTruthTests {
    /// The end of a subscription that was paid for until day 30 and put off until day 40, as the store names it when it is asked.
    struct EarlyEnd: Sendable, CustomTestStringConvertible {
        var end: Double
        var asked: Double
        var isRefunded = false
        var state: Subscription.State
        var testDescription: String { "ended on day \(end), asked on day \(asked), refunded: \(isRefunded)" }

        static let all = [
            EarlyEnd(end: 34, asked: 34, state: .revoked), EarlyEnd(end: 34, asked: 36, state: .revoked),
            EarlyEnd(end: 34, asked: 36, isRefunded: true, state: .revoked),
            EarlyEnd(end: 12, asked: 13, state: .revoked), EarlyEnd(end: 40, asked: 41, state: .expired),
            // A later end that it names is no end yet.
            EarlyEnd(end: 38, asked: 36, state: .active),
        ]
    }

    @Test("what was put off and taken away again, of which no message came, gives no access", arguments: EarlyEnd.all)
    func takenAwayAfterDeferral(row: EarlyEnd) {
        var sold = StoreTransaction.sold("t1", from: 0, to: row.end)
        if row.isRefunded {
            sold.revocation = StoreTransaction.Revocation(at: .day(row.end), milliPercent: 100_000, keepsAccess: true)
        }
        var asked = StoreEvent.told(.observed, on: row.asked, sold)
        asked.status = .expired
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)),
            .told(.renewalExtended, on: 10, .sold("t1", from: 0, to: 40)),
            asked
        )
        #expect(outcome.rejections.isEmpty)
        #expect(outcome.subscription.state == row.state)
        #expect(outcome.subscription.hasAccess(at: .day(row.asked)) == (row.state == .active))
        #expect(outcome.periods.last?.endsAt == .day(row.state == .active ? 40 : row.end))
        let order = outcome.books.orders.first
        #expect(order?.refunded.minorUnits == (row.isRefunded ? order?.amount.minorUnits : 0))
    }

    @Test("a period that the store tells of only after its end is ended by the clock, once")
    func observedAfterItsEnd() throws {
        let told = StoreEvent.told(.observed, on: 40, .sold("t1", from: 0, to: 30))
        var history = SubscriptionHistory([told])
        let lapse = try #require(
            StoreEvent.lapse(of: history.replay().subscription, Identifier(UUID()), after: told, at: .day(41))
        )
        history.insert(lapse)
        let outcome = history.replay()
        #expect(outcome.rejections.isEmpty)
        #expect(outcome.subscription.state == .expired)
        #expect(StoreEvent.lapse(of: outcome.subscription, Identifier(UUID()), after: told, at: .day(42)) == nil)
    }

    @Test("what a receipt does not call by its kind lasts as long as the catalogue says, else for ever")
    func receiptWithoutKind() throws {
        var sold = StoreTransaction.sold("t1", from: 0, to: nil, "pass", kind: .nonConsumable)
        sold.isKindAssumed = true
        let told = StoreEvent.told(.observed, on: 0, sold)
        let completed = try #require(try told.completed(with: BillingPeriod(1, .month)))
        #expect(completed.transaction.kind == .nonRenewing)
        #expect(completed.transaction.expiresAt == .day(31))
        #expect(try told.completed(with: nil) == nil)
        sold.isKindAssumed = nil
        #expect(try StoreEvent.told(.observed, on: 0, sold).completed(with: BillingPeriod(1, .month)) == nil)
    }

    @Test(
        "of what the store does not call by its kind the catalogue says whether it is used up, or how long it lasts"
    )
    func kindByCatalog() throws {
        for kind in [StoreTransaction.Kind.nonConsumable, .consumable] {
            var coins = StoreTransaction.sold("t1", from: 0, to: nil, for: .yuan(6), "coins", kind: kind)
            coins.isKindAssumed = true
            let told = StoreEvent.told(.purchasedOnce, on: 0, coins)
            let usedUp = try told.completed(with: nil, isConsumable: true) ?? told
            #expect(usedUp.transaction.kind == .consumable)
            let timed = try #require(try told.completed(with: BillingPeriod(1, .month)))
            #expect(timed.transaction.kind == .nonRenewing)
            #expect(timed.transaction.expiresAt == .day(31))
            // The store's own word stands.
            coins.isKindAssumed = nil
            #expect(try StoreEvent.told(.purchasedOnce, on: 0, coins).completed(with: nil, isConsumable: true) == nil)
        }
    }

    @Test("coins that were taken for what is owned for ever give no access once it is known that they are used up")
    func coinsForEver() throws {
        var coins = StoreTransaction.sold("t1", from: 0, to: nil, for: .yuan(6), "coins", kind: .nonConsumable)
        coins.isKindAssumed = true
        let bought = StoreEvent.told(.purchasedOnce, on: 0, coins)
        #expect(SubscriptionHistory.outcome(bought).subscription.hasAccess(at: .day(400)))
        coins.kind = .consumable
        let outcome = SubscriptionHistory.outcome(bought, .told(.observed, on: 2, coins))
        #expect(outcome.subscription.state == .pending)
        #expect(!outcome.subscription.hasAccess(at: .day(3)))
        #expect(outcome.periods.isEmpty)
        #expect(try outcome.ledger("t1") == "initial_purchase 6.00")
    }

    @Test("a purchase that a receipt had for ever ends when the store says that it does")
    func correctedEnd() {
        let receipt = StoreTransaction.sold("t1", from: 0, to: nil, "pass", kind: .nonConsumable)
        let truth = StoreTransaction.sold("t1", from: 0, to: 30, "pass", kind: .nonRenewing)
        let outcome = SubscriptionHistory.outcome(.told(.observed, on: 0, receipt), .told(.observed, on: 2, truth))
        #expect(outcome.subscription.hasAccess(at: .day(29)))
        #expect(!outcome.subscription.hasAccess(at: .day(30)))
        #expect(outcome.periods.map(\.endsAt) == [.day(30)])
    }

    @Test("a message about the price says what the next renewal costs")
    func priceChange() {
        let sold = StoreTransaction.sold("t1", from: 0, to: 30)
        let terms = RenewalTerms(renewsAutomatically: true, nextProductID: "pro.yearly", renewalPrice: .yuan(28))
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, sold),
            .told(.informational, on: 5, sold, terms)
        )
        #expect(outcome.subscription.renewalPrice == .yuan(28))
        #expect(outcome.subscription.nextProductID == "pro.yearly")
        #expect(outcome.subscription.state == .active)
    }
}
