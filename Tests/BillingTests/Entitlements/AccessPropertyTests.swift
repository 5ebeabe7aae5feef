import Billing
import Foundation
import Testing

/// What must hold for the stretches of access of every life, tried on many.
@Suite("properties of the stretches of access")
struct AccessPropertyTests {
    static let seeds: Range<UInt64> = 0..<1_500

    @Test("they come in time order, never overlap, and none is empty")
    func order() {
        for seed in Self.seeds {
            let periods = SubscriptionHistory(PlausibleLife(seed: seed).events).replay().periods
            for period in periods { #expect(period.endsAt.map { period.startsAt < $0 } ?? true, "seed \(seed)") }
            for (earlier, later) in zip(periods, periods.dropFirst()) {
                #expect(earlier.endsAt.map { $0 <= later.startsAt } ?? false, "seed \(seed): \(earlier), \(later)")
            }
        }
    }

    @Test("the order of arrival never matters, nor does an event that was refused")
    func arrival() {
        for seed in Self.seeds {
            let history = SubscriptionHistory(PlausibleLife(seed: seed).events)
            let outcome = history.replay()
            var random = SplitMix64(seed: ~seed)
            let shuffled = SubscriptionHistory(history.events.shuffled(using: &random)).replay()
            let taken = zip(history.events, outcome.steps).filter { $1.rejectionReason == nil }.map(\.0)
            #expect(shuffled.periods == outcome.periods, "seed \(seed)")
            #expect(SubscriptionHistory(taken).replay().periods == outcome.periods, "seed \(seed)")
        }
    }

    @Test("from the last event on, and once its period has begun, they say what the state says of every moment")
    func nowAndLater() {
        for seed in Self.seeds {
            for moment in Told(seed: seed).moments {
                var random = SplitMix64(seed: ~seed)
                let begin = max(moment.event.signedAt, moment.subscription.periodStartsAt ?? .distantPast)
                let ends = moment.periods.compactMap(\.endsAt) + [moment.subscription.accessEndsAt].compactMap { $0 }
                let tried =
                    [begin] + ends + ends.map { $0.addingTimeInterval(-0.001) }
                    + (0..<5).map { _ in begin.addingTimeInterval(.random(in: 0...8_640_000, using: &random)) }
                for now in tried where now >= begin {
                    #expect(
                        moment.periods.contains { $0.covers(now) } == moment.subscription.hasAccess(at: now),
                        "seed \(seed) at \(now)"
                    )
                }
            }
        }
    }

    /// An event rewrites what lies before it was signed when it tells of a purchase or a refund of earlier, or moves an end that
    /// was over. Everything before the earliest moment that any later event reaches back to stays as it was told.
    @Test("what no later event reaches back to stays as the state said it at that moment")
    func past() {
        var tried = (access: 0, none: 0)
        for seed in Self.seeds {
            let moments = Told(seed: seed).moments
            guard let final = moments.last?.periods else { continue }
            var random = SplitMix64(seed: ~seed)
            for (index, moment) in moments.enumerated() {
                let next = index + 1 < moments.count ? moments[index + 1].event.signedAt : .distantFuture
                let untouched = moments.dropFirst(index + 1).map(\.reachesBackTo).min() ?? .distantFuture
                let begin = max(moment.event.signedAt, moment.subscription.periodStartsAt ?? .distantPast)
                let end = min(next, untouched)
                guard begin < end else { continue }
                let length = min(end.timeIntervalSince(begin), 8_640_000)
                for share in [0, Double.random(in: 0..<1, using: &random), 0.999] {
                    let now = begin.addingTimeInterval(length * share)
                    guard now < end else { continue }
                    let hadAccess = moment.subscription.hasAccess(at: now)
                    #expect(final.contains { $0.covers(now) } == hadAccess, "seed \(seed) at \(now)")
                    if hadAccess { tried.access += 1 } else { tried.none += 1 }
                }
            }
        }
        #expect(tried.access > 5_000 && tried.none > 5_000, "\(tried)")
    }

    @Test("none reaches beyond what a message said was sold, extended or granted in grace")
    func noneAfterTheEnd() {
        for seed in Self.seeds {
            let events = PlausibleLife(seed: seed).events
            for period in SubscriptionHistory(events).replay().periods {
                let told = events.filter { $0.transaction.id == period.transactionID }
                if let end = period.endsAt {
                    let ends = told.flatMap { event in
                        // Of a grace period without an end of its own.
                        let isOpen = event.kind == .gracePeriodEntered && event.renewal?.gracePeriodEndsAt == nil
                        let longest = event.transaction.expiresAt?.addingTimeInterval(Subscription.longestGracePeriod)
                        return [
                            event.transaction.expiresAt, event.renewal?.gracePeriodEndsAt, event.signedAt,
                            isOpen ? longest : nil,
                        ]
                    }
                    #expect(ends.contains { $0.map { end <= $0 } ?? false }, "seed \(seed): \(period)")
                } else {
                    #expect(told.contains { $0.transaction.expiresAt == nil }, "seed \(seed): \(period)")
                }
            }
        }
    }
}

/// A life told event by event: what was known after each that was taken.
private struct Told {
    var moments: [Moment] = []

    struct Moment {
        var event: StoreEvent
        var subscription: Subscription
        var periods: [AccessPeriod]
        /// The earliest moment that the event can have changed.
        var reachesBackTo: Date
    }

    init(seed: UInt64) {
        let events = SubscriptionHistory(PlausibleLife(seed: seed).events).events
        var before = Subscription()
        for count in 1...events.count {
            let outcome = SubscriptionHistory(events.prefix(count)).replay()
            guard outcome.steps[count - 1].rejectionReason == nil else { continue }
            let (event, after) = (events[count - 1], outcome.subscription)
            var reach = event.signedAt
            if after.transactionID != before.transactionID { reach = min(reach, after.periodStartsAt ?? reach) }
            if after.state == .revoked { reach = min(reach, after.endedAt ?? reach) }
            if after.accessEndsAt != before.accessEndsAt { reach = min(reach, before.accessEndsAt ?? reach) }
            moments.append(Moment(event: event, subscription: after, periods: outcome.periods, reachesBackTo: reach))
            before = after
        }
    }
}
