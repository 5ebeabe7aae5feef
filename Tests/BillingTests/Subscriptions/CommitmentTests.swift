import Billing
import Foundation
import Testing

@Suite("A yearly product billed monthly (12-month commitment)") struct CommitmentTests {
    private static func month(_ number: Int, of year: Int = 0) -> StoreTransaction {
        var transaction = StoreTransaction.sold(
            "t\(number + year * 12)",
            from: Double(number - 1 + year * 12) * 30,
            to: Double(number + year * 12) * 30,
            for: .yuan(9, fen: 99),
            "pro.yearly"
        )
        transaction.commitment = Commitment(period: number, periods: 12, endsAt: .day(Double(year + 1) * 360))
        return transaction
    }

    private static func renewed(_ number: Int, _ terms: RenewalTerms? = .renews()) -> StoreEvent {
        .told(number == 1 ? .subscribed : .renewed, on: Double(number - 1) * 30, month(number), terms)
    }

    private static let committed = RenewalTerms(renewsAutomatically: true, commitmentRenews: false)

    @Test(
        "turned off in the second month, it goes on to the last and ends with it, by whatever field Apple says so",
        arguments: [
            RenewalTerms(renewsAutomatically: true, commitmentRenews: false), RenewalTerms(renewsAutomatically: false),
            RenewalTerms(renewsAutomatically: true),
        ]
    )
    func turnedOff(_ terms: RenewalTerms) throws {
        let told = [Self.renewed(1), Self.renewed(2), .told(.autoRenewDisabled, on: 40, Self.month(2), terms)]
        let second = SubscriptionHistory(told).replay().subscription
        #expect(second.state == .active)
        #expect(second.renewsAutomatically)
        #expect(second.commitmentCancelledAt == .day(40))
        #expect(second.cancelledAt == nil)

        let outcome = SubscriptionHistory(told + (3...12).map { Self.renewed($0, nil) }).replay()
        #expect(outcome.books.orders.map(\.amount) == Array(repeating: .yuan(9, fen: 99), count: 12))
        #expect(outcome.subscription.state == .cancelled)
        #expect(!outcome.subscription.renewsAutomatically)
        #expect(outcome.subscription.accessEndsAt == .day(360))
        let ended = SubscriptionHistory(
            told + (3...12).map { Self.renewed($0, nil) } + [.told(.expired, on: 360, Self.month(12))]
        ).replay()
        #expect((ended.subscription.state, ended.subscription.endReason) == (.expired, .cancelled))
    }

    @Test("turned on again, it renews for another year")
    func turnedOn() {
        var events = (1...12).map { Self.renewed($0, $0 == 1 ? .renews() : nil) }
        events.append(.told(.autoRenewDisabled, on: 40, Self.month(2), Self.committed))
        events.append(
            .told(
                .autoRenewEnabled,
                on: 50,
                Self.month(2),
                RenewalTerms(renewsAutomatically: true, commitmentRenews: true)
            )
        )
        #expect(SubscriptionHistory(events).replay().subscription.state == .active)
        events.append(.told(.renewed, on: 360, Self.month(1, of: 1), .renews()))
        let next = SubscriptionHistory(events).replay().subscription
        #expect((next.state, next.commitment?.period) == (.active, 1))
        #expect(next.commitmentCancelledAt == nil)
    }

    @Test("access is that of each month, and nothing of the year is given that was not paid")
    func access() {
        let subscription = SubscriptionHistory.outcome(Self.renewed(1)).subscription
        #expect(subscription.accessEndsAt == .day(30))
    }

    @Test("a charge that fails ends access at once, without a grace period, and is tried again for 90 days")
    func retry() {
        let failed = SubscriptionHistory.outcome(
            Self.renewed(1),
            .told(.billingRetryEntered, on: 30, Self.month(1), .renews())
        ).subscription
        #expect(failed.state == .billingRetry)
        #expect(!failed.hasAccess(at: .day(30)))
        #expect(failed.state(at: .day(119.9)) == .billingRetry)
        #expect(failed.state(at: .day(120)) == .expired)
        let grace = SubscriptionHistory.outcome(
            Self.renewed(1),
            .told(.gracePeriodEntered, on: 30, Self.month(1), .renews())
        ).subscription
        #expect(!grace.hasAccess(at: .day(30)))
    }

    @Test("an upgrade ends the commitment and what was wished for its end")
    func upgrade() {
        let outcome = SubscriptionHistory.outcome(
            Self.renewed(1),
            Self.renewed(2),
            .told(.autoRenewDisabled, on: 40, Self.month(2), Self.committed),
            .told(.upgraded, on: 65, .sold("p1", from: 65, to: 430, for: .yuan(200), "premium.yearly"), .renews())
        )
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.commitment == nil)
        #expect(outcome.subscription.commitmentCancelledAt == nil)
    }
}
