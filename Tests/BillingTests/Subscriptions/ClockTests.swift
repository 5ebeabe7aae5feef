import Billing
import Foundation
import Testing

/// Ends that time alone brings, among what stores tell.
@Suite("Ends by the clock") struct ClockTests {
    private static let id = Subscription.ID(UUID())

    @Test("sweeping at any moment changes neither books nor access, and no state but what time has ended already")
    func property() {
        for seed in HistoryPropertyTests.seeds {
            let events = PlausibleLife(seed: seed).events
            var random = SplitMix64(seed: ~seed)
            let told = SubscriptionHistory(events).replay()
            var history = SubscriptionHistory([])
            var last = Date.day(-10)
            for event in events.shuffled(using: &random) {
                history.insert(event)
                guard Bool.random(using: &random) else { continue }
                last = max(last, event.signedAt.addingTimeInterval(Double.random(in: 0...200, using: &random) * 86_400))
                Self.sweep(&history, at: last)
            }
            Self.sweep(&history, at: last)
            let swept = history.replay()
            #expect(swept.books == told.books, "seed \(seed)")
            #expect(swept.periods == told.periods, "seed \(seed)")
            for days in [0, 0.5, 1, 7, 61, 400] {
                let now = last.addingTimeInterval(days * 86_400)
                #expect(swept.subscription.state(at: now) == told.subscription.state(at: now), "seed \(seed)")
            }
            var (with, without) = (swept.subscription, told.subscription)
            (with.state, without.state) = (.pending, .pending)
            #expect(with == without, "seed \(seed)")
        }
    }

    @Test("an end is told of once, and a renewal that comes late heals it")
    func heals() throws {
        var history = SubscriptionHistory([.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30))])
        Self.sweep(&history, at: .day(31))
        Self.sweep(&history, at: .day(40))
        #expect(history.events.count == 2)
        #expect(history.replay().subscription.state == .expired)
        #expect(history.replay().steps.last?.after == .expired)
        history.insert(.told(.renewed, on: 29.9, .sold("t2", from: 30, to: 60)))
        let healed = history.replay()
        #expect(healed.subscription.state == .active)
        #expect(healed.steps.last?.rejectionReason?.code == .wentOn)
        #expect(healed.periods.count == 2)
    }

    @Test("a grace period that ends is tried again for, and that too ends, each at its own moment")
    func grace() throws {
        let sold = StoreTransaction.sold("t1", from: 0, to: 30)
        var history = SubscriptionHistory([.told(.subscribed, on: 0, sold)])
        var failed = StoreEvent.told(.gracePeriodEntered, on: 30, sold)
        failed.renewal = RenewalTerms(renewsAutomatically: true, gracePeriodEndsAt: .day(46), isInBillingRetry: true)
        history.insert(failed)
        Self.sweep(&history, at: .day(200))
        let steps = history.replay().steps.suffix(2)
        #expect(steps.map(\.after) == [.billingRetry, .expired])
        #expect(history.events.suffix(2).map(\.signedAt) == [.day(46), .day(90)])
    }

    private static func sweep(_ history: inout SubscriptionHistory, at now: Date) {
        for _ in 0..<3 {
            let subscription = history.replay().subscription
            let last = history.events.last { $0.isByClock != true && $0.transaction.id == subscription.transactionID }
            guard let last, let event = StoreEvent.lapse(of: subscription, id, after: last, at: now) else { return }
            guard history.insert(event) else {
                Issue.record("the same end twice")
                return
            }
        }
    }
}
