import Billing
import Foundation
import Testing

@Suite("money that is given back and access that stays (Google Play)") struct RefundWithoutRevokingTests {
    private func refunded(_ share: Int? = 100_000, keepsAccess: Bool?) -> StoreTransaction {
        var sold = StoreTransaction.sold("t1", from: 0, to: 30)
        sold.revocation = StoreTransaction.Revocation(at: .day(5), milliPercent: share, keepsAccess: keepsAccess)
        return sold
    }

    private let bought = StoreEvent.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30))

    @Test("the order is given back, and the subscription goes on to its end")
    func keeps() throws {
        let outcome = SubscriptionHistory.outcome(bought, .told(.refunded, on: 6, refunded(keepsAccess: true)))
        let order = try #require(outcome.books.orders.first)
        #expect(order.refunded == order.amount)
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.hasAccess(at: .day(29)))
        #expect(!outcome.subscription.hasAccess(at: .day(30)))
    }

    @Test("told in passing, it is booked once, and what else the message says holds")
    func inPassing() throws {
        let told = StoreEvent.told(.observed, on: 7, refunded(keepsAccess: true))
        let again = StoreEvent.told(.autoRenewDisabled, on: 8, refunded(keepsAccess: true))
        let outcome = SubscriptionHistory.outcome(bought, told, again)
        let order = try #require(outcome.books.orders.first)
        #expect(order.refunded == order.amount)
        #expect(outcome.subscription.state == .cancelled)
        #expect(outcome.rejections.isEmpty)
    }

    @Test("access that is taken later ends then, and nothing more is given back")
    func takenLater() throws {
        let outcome = SubscriptionHistory.outcome(
            bought,
            .told(.refunded, on: 6, refunded(keepsAccess: true)),
            .told(.refunded, on: 9, refunded(keepsAccess: nil))
        )
        let order = try #require(outcome.books.orders.first)
        #expect(order.refunded == order.amount)
        #expect(outcome.subscription.state == .revoked)
        #expect(!outcome.subscription.hasAccess(at: .day(10)))
    }

    @Test("access that comes back after it was taken does not bring the money back")
    func accessComesBack() throws {
        var alive = StoreEvent.told(.observed, on: 9, refunded(keepsAccess: true))
        alive.status = .active
        let outcome = SubscriptionHistory.outcome(bought, .told(.refunded, on: 6, refunded(keepsAccess: nil)), alive)
        let order = try #require(outcome.books.orders.first)
        #expect(order.refunded == order.amount)
        #expect(outcome.subscription.hasAccess(at: .day(10)))
    }

    @Test("a change of plans that moves time instead of money credits nothing")
    func withoutCredit() throws {
        var better = StoreTransaction.sold("t2", from: 10, to: 40, "max")
        let credited = SubscriptionHistory.outcome(bought, .told(.upgraded, on: 10, better))
        #expect(credited.books.orders.first?.supersession != nil)
        better.replacesWithoutCredit = true
        let moved = SubscriptionHistory.outcome(bought, .told(.upgraded, on: 10, better))
        #expect(moved.books.orders.allSatisfy { $0.supersession == nil && $0.credited.minorUnits == 0 })
        #expect(moved.subscription.productID == "max")
    }
}
