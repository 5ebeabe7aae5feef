import Billing
import Foundation
import Testing

@Suite("the stretches in which a subscription gave access")
struct AccessPeriodTests {
    @Test("each transaction gives access from its purchase to the next one's, the last to what is paid for")
    func renewals() {
        let trial = StoreTransaction.sold("t1", from: 0, to: 7, for: .yuan(0), trial: true)
        let paid = StoreTransaction.sold("t2", from: 7, to: 37)
        let higher = StoreTransaction.sold("t3", from: 20, to: 50, for: .yuan(30), "premium.monthly")
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, trial),
            .told(.renewed, on: 7.01, paid),
            .told(.upgraded, on: 20.01, higher)
        )
        #expect(outcome.stretches == ["t1 0-7 trial", "t2 7-20", "t3 20-50"])
    }

    @Test("a grace period moves the end, also when it is told late; a payment in it begins a period of its own")
    func grace() {
        let first = StoreTransaction.sold("t1", from: 0, to: 30)
        let second = StoreTransaction.sold("t2", from: 40, to: 70)
        let failed: [StoreEvent] = [
            .told(.subscribed, on: 0, first), .told(.gracePeriodEntered, on: 31, first, .grace(until: 46)),
        ]
        #expect(SubscriptionHistory(failed).replay().stretches == ["t1 0-46"])
        #expect(
            SubscriptionHistory(failed + [.told(.recovered, on: 40, second)]).replay().stretches
                == ["t1 0-40", "t2 40-70"]
        )
        #expect(
            SubscriptionHistory(failed + [.told(.gracePeriodExpired, on: 46, first)]).replay().stretches
                == ["t1 0-46"]
        )
    }

    @Test("an extension moves the end")
    func extended() {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, .sold("t1", from: 0, to: 30)),
            .told(.renewalExtended, on: 10, .sold("t1", from: 0, to: 44))
        )
        #expect(outcome.stretches == ["t1 0-44"])
    }

    @Test("a refund ends it on the day it was taken back, and its reversal gives access again from then on")
    func refunded() {
        let sold = StoreTransaction.sold("t1", from: 0, to: 30)
        let taken: [StoreEvent] = [.told(.subscribed, on: 0, sold), .told(.refunded, on: 12, sold.takenBack(on: 10))]
        #expect(SubscriptionHistory(taken).replay().stretches == ["t1 0-10"])
        #expect(
            SubscriptionHistory(taken + [.told(.refundReversed, on: 15, sold)]).replay().stretches
                == ["t1 0-10", "t1 15-30"]
        )
    }

    @Test("a refund of an earlier period, and one after the end, change nothing")
    func refundedLater() {
        let first = StoreTransaction.sold("t1", from: 0, to: 30)
        let second = StoreTransaction.sold("t2", from: 30, to: 60)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.renewed, on: 30, second),
            .told(.refunded, on: 35, first.takenBack(on: 35)),
            .told(.expired, on: 60, second),
            .told(.refunded, on: 70, second.takenBack(on: 70))
        )
        #expect(outcome.stretches == ["t1 0-30", "t2 30-60"])
    }

    @Test("a pause leaves a gap")
    func paused() {
        let sold = StoreTransaction.sold("t1", from: 0, to: 30)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, sold),
            .told(.paused, on: 5, sold),
            .told(.resumed, on: 9, sold)
        )
        #expect(outcome.stretches == ["t1 0-5", "t1 9-30"])
    }

    @Test("what is bought for good never ends, and a consumable gives none")
    func boughtOnce() {
        let outcome = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, .sold("t1", from: 0, to: nil, kind: .nonConsumable)),
            .told(.purchasedOnce, on: 1, .sold("t2", from: 1, to: nil, kind: .consumable))
        )
        #expect(outcome.stretches == ["t1 0-"])
    }

    @Test("a message about a sale that was lost still knows what was sold")
    func lostSale() {
        let outcome = SubscriptionHistory.outcome(.told(.expired, on: 31, .sold("t1", from: 0, to: 30)))
        #expect(outcome.stretches == ["t1 0-30"])
    }
}

extension SubscriptionHistory.Outcome {
    /// "t1 0-7 trial": the transaction and the days, counted as `Date.day` counts them.
    fileprivate var stretches: [String] {
        periods.map { period in
            let days = [period.startsAt, period.endsAt].map { date in
                date.map { String(Int(($0.timeIntervalSince(.day(0)) / 86_400).rounded())) } ?? ""
            }
            return "\(period.transactionID) \(days[0])-\(days[1])\(period.isTrial ? " trial" : "")"
        }
    }
}
