import Billing
import Foundation
import Testing

@Suite("whole lives")
struct SubscriptionLifeTests {
    let first = StoreTransaction.sold("t1", from: 0, to: 30)
    let second = StoreTransaction.sold("t2", from: 30, to: 60, reason: .renewal)
    let trial = StoreTransaction.sold("t1", from: 0, to: 7, for: .yuan(0), trial: true)

    @Test("a renewal during grace restores access for the whole period")
    func graceThenRecovery() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.gracePeriodEntered, on: 30, first, .grace(until: 46)),
            .told(.recovered, on: 35, second)
        )
        #expect(outcome.steps.map(\.after) == [.active, .gracePeriod, .active])
        #expect(outcome.subscription.hasAccess(at: .day(50)))
        #expect(outcome.subscription.periodEndsAt == .day(60))
        #expect(outcome.subscription.gracePeriodEndsAt == nil)
        #expect(try outcome.ledger("t2") == "renewal 18.00")
    }

    @Test("grace that ends unpaid ends access; a late payment opens a new period")
    func graceThenRetryThenRecovery() {
        let late = StoreTransaction.sold("t2", from: 70, to: 100)
        var events: [StoreEvent] = [
            .told(.subscribed, on: 0, first), .told(.gracePeriodEntered, on: 30, first, .grace(until: 46)),
            .told(.gracePeriodExpired, on: 46, first),
        ]
        let retrying = SubscriptionHistory(events).replay().subscription
        #expect(retrying.state == .billingRetry)
        #expect(!retrying.hasAccess(at: .day(47)))
        events.append(.told(.recovered, on: 70, late))
        let recovered = SubscriptionHistory(events).replay().subscription
        #expect(recovered.state == .active)
        #expect(recovered.periodEndsAt == .day(100))
    }

    @Test("an upgrade takes effect at once, and the old period's refund does not touch it")
    func upgradeWithOldRefunded() throws {
        let premium = StoreTransaction.sold("t2", from: 10, to: 40, for: .yuan(38), "premium.monthly")
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.upgraded, on: 10, premium),
            .told(.refunded, on: 10.1, first.takenBack(on: 10, milliPercent: 66_667))
        )
        #expect(outcome.subscription.state == .active)
        #expect(outcome.subscription.productID == "premium.monthly")
        #expect(outcome.subscription.startedAt == .day(0))
        #expect(try outcome.ledger("t1") == "initial_purchase 18.00, refund -12.00")
        #expect(try outcome.order("t1").status == .superseded)
        #expect(try outcome.ledger("t2") == "upgrade 38.00")
        #expect(outcome.steps.last?.warnings == [.earlierPeriod])
    }

    @Test("who comes back after months with another product starts a new period of the same subscription")
    func resubscribe() throws {
        let yearly = StoreTransaction.sold("t2", from: 200, to: 565, for: .yuan(198), "premium.yearly")
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.autoRenewDisabled, on: 2, first),
            .told(.expired, on: 30, first, .renews(false, because: .cancelled)),
            .told(.resubscribed, on: 200, yearly)
        )
        let subscription = outcome.subscription
        #expect(subscription.state == .active)
        #expect(subscription.productID == "premium.yearly")
        #expect(subscription.startedAt == .day(0))
        #expect(subscription.periodStartsAt == .day(200))
        #expect(subscription.renewsAutomatically)
        #expect(subscription.cancelledAt == nil && subscription.endedAt == nil && subscription.endReason == nil)
        #expect(try outcome.ledger("t2") == "initial_purchase 198.00")
    }

    @Test("a refund of an old period leaves the current one")
    func refundOfOldPeriod() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.renewed, on: 30, second),
            .told(.refunded, on: 33, first.takenBack(on: 33))
        )
        #expect(outcome.subscription.hasAccess(at: .day(59)))
        #expect(try outcome.order("t1").status == .refunded)
        #expect(try outcome.order("t2").status == .completed)
    }

    @Test("a refund ends access at its date; its reversal gives the rest of the period back")
    func refundThenReversal() throws {
        let refund = StoreEvent.told(.refunded, on: 6.5, first.takenBack(on: 6))
        let refunded = SubscriptionHistory.outcome(.told(.subscribed, on: 0, first), refund)
        #expect(refunded.subscription.state == .revoked)
        #expect(refunded.subscription.endedAt == .day(6))
        #expect(!refunded.subscription.hasAccess(at: .day(7)))
        let reversed = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            refund,
            .told(.refundReversed, on: 9, first)
        )
        #expect(reversed.subscription.state == .active)
        #expect(reversed.subscription.periodEndsAt == .day(30))
        #expect(reversed.subscription.endedAt == nil)
        #expect(reversed.subscription.hasAccess(at: .day(29)))
        #expect(!reversed.subscription.hasAccess(at: .day(30)))
        #expect(try reversed.ledger("t1") == "initial_purchase 18.00, refund -18.00, refund_reversal 18.00")
        #expect(try reversed.order("t1").status == .completed)
    }

    @Test("a reversed refund stays cancelled when the store had turned renewal off")
    func reversalStaysCancelled() {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.refunded, on: 6, first.takenBack(on: 6)),
            .told(.autoRenewDisabled, on: 6.1, first, .renews(false)),
            .told(.refundReversed, on: 9, first)
        )
        #expect(outcome.steps.map(\.after) == [.active, .revoked, .revoked, .cancelled])
        #expect(outcome.subscription.hasAccess(at: .day(20)))
    }

    @Test("a reversal after the customer bought again changes the books alone")
    func reversalAfterNewPurchase() throws {
        let again = StoreTransaction.sold("t2", from: 8, to: 38)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.refunded, on: 6, first.takenBack(on: 6)),
            .told(.resubscribed, on: 8, again),
            .told(.refundReversed, on: 9, first)
        )
        #expect(outcome.subscription.transactionID == "t2")
        #expect(outcome.subscription.periodEndsAt == .day(38))
        #expect(try outcome.order("t1").kept == .yuan(18))
    }

    @Test("a trial that is paid becomes active, and its free order stays free")
    func trialConverted() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, trial),
            .told(.renewed, on: 7, .sold("t2", from: 7, to: 37, reason: .renewal))
        )
        #expect(outcome.steps.map(\.after) == [.trial, .active])
        #expect(outcome.subscription.trialStartedAt == .day(0))
        #expect(outcome.subscription.trialEndsAt == .day(7))
        #expect(!outcome.subscription.isInTrial)
        #expect(try outcome.ledger("t1") == "initial_purchase 0.00")
        #expect(try outcome.order("t1").status == .completed)
        #expect(try outcome.ledger("t2") == "renewal 18.00")
    }

    @Test("a trial cancelled on its second day lasts to its end and no longer")
    func trialCancelled() {
        let cancelled = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, trial),
            .told(.autoRenewDisabled, on: 1, trial, .renews(false))
        )
        #expect(cancelled.subscription.state == .cancelled)
        #expect(cancelled.subscription.isInTrial)
        #expect(cancelled.subscription.hasAccess(at: .day(6.9)))
        #expect(cancelled.subscription.state(at: .day(7)) == .expired)
        let again = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, trial),
            .told(.autoRenewDisabled, on: 1, trial, .renews(false)),
            .told(.autoRenewEnabled, on: 2, trial, .renews())
        )
        #expect(again.subscription.state == .trial)
    }

    @Test("a trial that nobody pays expires as a trial")
    func trialExpired() {
        let silent = SubscriptionHistory.outcome(.told(.subscribed, on: 0, trial))
        #expect(silent.subscription.state(at: .day(7)) == .trialExpired)
        let told = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, trial),
            .told(.expired, on: 7.1, trial, .renews(false, because: .billingError))
        )
        #expect(told.subscription.state == .trialExpired)
        #expect(told.subscription.endReason == .billingError)
        #expect(told.subscription.endedAt == .day(7))
    }

    @Test("a family member has access and no order; the end of sharing ends it without money")
    func familySharing() {
        let shared = StoreTransaction.sold("t1", from: 0, to: 30, family: true)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, shared),
            .told(.renewed, on: 30, .sold("t2", from: 30, to: 60, family: true))
        )
        #expect(outcome.subscription.hasAccess(at: .day(59)))
        #expect(outcome.subscription.isFamilyShared)
        #expect(outcome.books.orders.isEmpty)
        #expect(outcome.steps.map(\.warnings) == [[.familyShared], [.familyShared]])
        let ended = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, shared),
            .told(.revoked, on: 12, shared.takenBack(on: 11))
        )
        #expect(ended.subscription.state == .revoked)
        #expect(ended.subscription.endedAt == .day(11))
        #expect(ended.books.orders.isEmpty)
    }

    @Test("a lifetime product never ends, until it is refunded")
    func lifetime() throws {
        let lifetime = StoreTransaction.sold(
            "t1",
            from: 0,
            to: nil,
            for: .yuan(498),
            "pro.lifetime",
            kind: .nonConsumable
        )
        let bought = SubscriptionHistory.outcome(.told(.purchasedOnce, on: 0, lifetime))
        #expect(bought.subscription.hasAccess(at: .day(36_500)))
        #expect(bought.subscription.accessEndsAt == nil)
        #expect(!bought.subscription.renewsAutomatically)
        let refunded = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, lifetime),
            .told(.refunded, on: 6, lifetime.takenBack(on: 6))
        )
        #expect(!refunded.subscription.hasAccess(at: .day(7)))
        #expect(try refunded.order("t1").status == .refunded)
    }

    @Test("a consumable is booked and refunded and never gives a plan")
    func consumable() throws {
        let coins = StoreTransaction.sold("t1", from: 0, to: nil, for: .yuan(6), "coins", kind: .consumable)
        let outcome = SubscriptionHistory.outcome(
            .told(.purchasedOnce, on: 0, coins),
            .told(.refundRequested, on: 1, coins),
            .told(.refunded, on: 2, coins.takenBack(on: 2))
        )
        #expect(outcome.steps.map(\.after) == [.pending, .pending, .pending])
        #expect(try outcome.ledger("t1") == "initial_purchase 6.00, refund -6.00")
    }

    @Test("a year bought once, that does not renew, runs out by itself")
    func nonRenewing() {
        let year = StoreTransaction.sold("t1", from: 0, to: 365, for: .yuan(128), "pro.year", kind: .nonRenewing)
        let outcome = SubscriptionHistory.outcome(.told(.purchasedOnce, on: 0, year))
        #expect(outcome.subscription.state == .active)
        #expect(!outcome.subscription.renewsAutomatically)
        #expect(outcome.subscription.state(at: .day(365)) == .expired)
    }

    @Test("a lost renewal is noticed from the next message: access at once, the order when the renewal is found")
    func lostRenewal() throws {
        let disabled = StoreEvent.told(.autoRenewDisabled, on: 40, second, .renews(false))
        let healed = SubscriptionHistory.outcome(.told(.subscribed, on: 0, first), disabled)
        #expect(healed.subscription.state == .cancelled)
        #expect(healed.subscription.hasAccess(at: .day(59)))
        #expect(healed.books.orders.count == 1)
        let found = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            disabled,
            .told(.renewed, on: 30, second, .renews())
        )
        #expect(found.subscription == healed.subscription)
        #expect(try found.ledger("t2") == "renewal 18.00")
    }

    @Test("a charge told twice in different messages is one order, and does not undo what came between")
    func chargeToldTwice() {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.autoRenewDisabled, on: 3, first, .renews(false)),
            .told(.subscribed, on: 4, first, id: "verified by the app")
        )
        #expect(outcome.books.orders.count == 1)
        #expect(outcome.subscription.state == .cancelled)
        #expect(outcome.steps.last?.warnings == [.alreadyCharged])
    }

    @Test("an old charge told late is booked in its place and leaves the current period")
    func oldChargeToldLate() {
        let outcome = SubscriptionHistory.outcome(
            .told(.renewed, on: 30, second),
            .told(.subscribed, on: 40, first, id: "from the store's history")
        )
        #expect(outcome.books.orders.map(\.transactionID) == ["t1", "t2"])
        #expect(outcome.subscription.transactionID == "t2")
        #expect(outcome.subscription.startedAt == .day(0))
    }

    @Test("an extension moves the end and nothing else")
    func extended() {
        let before = SubscriptionHistory.outcome(.told(.subscribed, on: 0, first))
        let after = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, first),
            .told(.renewalExtended, on: 12, .sold("t1", from: 0, to: 44))
        )
        var expected = before.subscription
        expected.periodEndsAt = .day(44)
        expected.lastSignedAt = .day(12)
        #expect(after.subscription == expected)
        var books = before.books
        books.orders[0].periodEndsAt = .day(44)
        #expect(after.books == books)
    }

    @Test("messages of one millisecond are taken by what they tell, whatever their ids")
    func sameMoment() {
        let bought = StoreEvent.told(.subscribed, on: 0, first)
        let old = StoreEvent.told(.refunded, on: 30, first.takenBack(on: 30), id: "a")
        for (id, other) in [("a", "b"), ("b", "a")] {
            let on = StoreEvent.told(.autoRenewEnabled, on: 3, first, .renews(), id: id)
            let off = StoreEvent.told(.autoRenewDisabled, on: 3, first, .renews(false), id: other)
            #expect(SubscriptionHistory([bought, off, on]).replay().subscription.state == .cancelled)
            #expect(SubscriptionHistory([on, off, bought]).replay().subscription.state == .cancelled)
            // A refund of what was paid before never follows the renewal that was signed with it.
            let renewed = StoreEvent.told(.renewed, on: 30, .sold("t2", from: 30, to: 60), id: other)
            #expect(SubscriptionHistory([bought, renewed, old]).replay().steps.map(\.eventID).last == other)
        }
    }
}
