import Billing
import Foundation
import Testing

@Suite("In the grace period, without its end") struct GraceWithoutEndTests {
    private static let trial = StoreTransaction.sold("t1", from: 0, to: 7, for: .yuan(0), trial: true)
    private static let terms = RenewalTerms(renewsAutomatically: true, isInBillingRetry: true)

    private static func failed(on day: Double = 7, status: StoreEvent.Status? = .gracePeriod) -> StoreEvent {
        var event = StoreEvent.told(.gracePeriodEntered, on: day, trial, terms)
        event.status = status
        return event
    }

    private static func subscription(_ more: StoreEvent...) -> Subscription {
        SubscriptionHistory([.told(.subscribed, on: 0, trial, .renews()), failed()] + more).replay().subscription
    }

    @Test("access goes on, and for no longer than a grace period can last")
    func goesOn() {
        let subscription = Self.subscription()
        #expect(subscription.state == .gracePeriod)
        #expect(subscription.hasAccess(at: .day(7.05)))
        #expect(subscription.hasAccess(at: .day(34.9)))
        #expect(subscription.accessEndsAt == .day(35))
        #expect(subscription.state(at: .day(35)) == .billingRetry)
    }

    @Test("the message alone says so, also when the app heard of no status")
    func withoutStatus() {
        let subscription = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Self.trial, .renews()),
            Self.failed(status: nil)
        ).subscription
        #expect(subscription.accessEndsAt == .day(35))
    }

    @Test("a recovery opens the next period")
    func recovered() {
        let subscription = Self.subscription(.told(.recovered, on: 9, .sold("t2", from: 9, to: 37), .renews()))
        #expect((subscription.state, subscription.gracePeriodEndsAt) == (.active, nil))
        #expect(subscription.accessEndsAt == .day(37))
    }

    @Test("the end of the grace period ends access, and nothing of the assumed end is left")
    func expired() {
        let subscription = Self.subscription(.told(.gracePeriodExpired, on: 23, Self.trial, Self.terms))
        #expect(subscription.state == .billingRetry)
        #expect(subscription.gracePeriodEndsAt == .day(23))
        #expect(!subscription.hasAccess(at: .day(23)))
    }

    @Test(
        "a status that says otherwise ends it, one that says the same does not",
        arguments: [
            (StoreEvent.Status.billingRetry, Subscription.State.billingRetry, false),
            (.expired, .expired, false), (.gracePeriod, .gracePeriod, true),
        ]
    )
    func status(_ status: StoreEvent.Status, _ state: Subscription.State, _ hasAccess: Bool) {
        var answer = StoreEvent.told(.observed, on: 12, Self.trial, Self.terms)
        answer.status = status
        let subscription = Self.subscription(answer)
        #expect(subscription.state == state)
        #expect(subscription.hasAccess(at: .day(12.5)) == hasAccess)
    }

    @Test("an end that the store names later counts")
    func namedLater() {
        var answer = StoreEvent.told(.observed, on: 8, Self.trial, .grace(until: 23))
        answer.status = .gracePeriod
        #expect(Self.subscription(answer).accessEndsAt == .day(23))
    }

    @Test("a failure without a grace period gives nothing beyond what is paid for")
    func noGrace() {
        let subscription = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Self.trial, .renews()),
            .told(.billingRetryEntered, on: 6, Self.trial, Self.terms)
        ).subscription
        #expect(subscription.accessEndsAt == .day(7))
    }
}
