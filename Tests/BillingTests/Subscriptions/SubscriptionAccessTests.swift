import Billing
import Foundation
import Testing

@Suite("where it stands without a sweep")
struct SubscriptionAccessTests {
    /// Each state's period runs from day 0 to day 30, grace to day 46.
    @Test(
        "time moves a state by itself, and only then",
        arguments: [
            (.pending, 999, .pending), (.trial, 29.999, .trial), (.trial, 30, .trialExpired),
            (.active, 29.999, .active),
            (.active, 30, .expired), (.gracePeriod, 45.999, .gracePeriod), (.gracePeriod, 46, .billingRetry),
            (.gracePeriod, 89.999, .billingRetry), (.gracePeriod, 90, .expired), (.billingRetry, 30, .billingRetry),
            (.billingRetry, 89.999, .billingRetry), (.billingRetry, 90, .expired), (.cancelled, 29.999, .cancelled),
            (.cancelled, 30, .expired), (.paused, 999, .paused), (.expired, 1, .expired),
            (.trialExpired, 1, .trialExpired),
            (.revoked, 7, .revoked),
        ] as [(Subscription.State, Double, Subscription.State)]
    )
    func states(_ state: Subscription.State, _ day: Double, _ expected: Subscription.State) throws {
        #expect(try Subscription.sample(in: state).state(at: .day(day)) == expected)
    }

    @Test("access is for trial, active, grace and cancelled alone", arguments: Subscription.State.allCases)
    func access(_ state: Subscription.State) throws {
        let subscription = try Subscription.sample(in: state)
        let hasAccess = [.trial, .active, .gracePeriod, .cancelled].contains(state)
        #expect(subscription.hasAccess(at: .day(20)) == hasAccess)
        #expect((subscription.accessEndsAt != nil) == hasAccess)
    }

    @Test(
        "the store's own word that it is over agrees with what was read before it came",
        arguments: [Subscription.State.trial, .active, .cancelled]
    )
    func agreesWithSweep(_ state: Subscription.State) throws {
        var subscription = try Subscription.sample(in: state)
        let read = subscription.state(at: .day(31))
        _ = try subscription.apply(.told(.expired, on: 31, .sold("t1", from: 0, to: 30)))
        #expect(subscription.state == read)
    }
}
