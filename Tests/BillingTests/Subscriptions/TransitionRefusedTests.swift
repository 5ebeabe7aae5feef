import Billing
import Foundation
import Testing

/// Something that cannot be, told after an honest purchase.
struct Impossible: CustomTestStringConvertible, Sendable {
    var code: TransitionRefused.Code
    var event: StoreEvent
    var testDescription: String { "\(code)" }

    static let first = StoreTransaction.sold("t1", from: 0, to: 30)

    /// A renewal with one thing wrong.
    static func renewal(_ code: TransitionRefused.Code, _ spoil: (inout StoreEvent) -> Void) -> Impossible {
        var event = StoreEvent.told(.renewed, on: 30, .sold("t2", from: 30, to: 60))
        spoil(&event)
        return Impossible(code: code, event: event)
    }

    static func refund(_ code: TransitionRefused.Code, _ spoil: (inout StoreTransaction) -> Void) -> Impossible {
        var transaction = first.takenBack(on: 3)
        spoil(&transaction)
        return Impossible(code: code, event: .told(.refunded, on: 3, transaction))
    }

    static let all: [Impossible] = [
        renewal(.otherSubscription) { $0.transaction.originalID = "t9" },
        renewal(.otherStore) { $0.store = .google },
        renewal(.otherEnvironment) { $0.environment = .sandbox },
        renewal(.missingIdentifier) { $0.transaction.id = "" },
        renewal(.missingIdentifier) { $0.id = "" },
        renewal(.missingIdentifier) { $0.transaction.productID = "" },
        renewal(.negativePrice) { $0.transaction.price = .yuan(-1) },
        renewal(.negativePrice) { $0.renewal = RenewalTerms(renewsAutomatically: true, renewalPrice: .yuan(-1)) },
        renewal(.amountOutOfRange) { $0.transaction.price = .yuan(Money.highestPrice + 1) },
        renewal(.amountOutOfRange) {
            $0.renewal = RenewalTerms(renewsAutomatically: true, renewalPrice: Money(minorUnits: .max, currency: .cny))
        },
        renewal(.dateOutOfRange) { $0.transaction.expiresAt = Date(timeIntervalSince1970: 253_402_300_799) },
        renewal(.dateOutOfRange) { $0.transaction.purchasedAt = Date(timeIntervalSince1970: -62_135_596_800) },
        renewal(.dateOutOfRange) {
            $0.renewal = RenewalTerms(renewsAutomatically: true, gracePeriodEndsAt: .distantFuture)
        },
        renewal(.quantityOutOfRange) { $0.transaction.quantity = 0 },
        renewal(.quantityOutOfRange) { $0.transaction.quantity = 1_000_001 },
        renewal(.quantityOutOfRange) { $0.transaction.quantity = .max },
        renewal(.periodReversed) { $0.transaction.expiresAt = .day(29) },
        renewal(.periodReversed) { $0.transaction.expiresAt = $0.transaction.purchasedAt },
        renewal(.endMissing) { $0.transaction.expiresAt = nil },
        renewal(.endMissing) {
            $0.kind = .purchasedOnce
            $0.transaction.kind = .nonRenewing
            $0.transaction.expiresAt = nil
        },
        renewal(.productDoesNotRenew) {
            $0.transaction.kind = .nonConsumable
            $0.transaction.expiresAt = nil
        },
        refund(.refundShareOutOfRange) { $0.revocation?.milliPercent = -1 },
        refund(.refundShareOutOfRange) { $0.revocation?.milliPercent = 100_001 },
        refund(.refundInOtherCurrency) { $0.price = Money(minorUnits: 1_800, currency: .named("TRY")) },
        Impossible(code: .extensionShortens, event: .told(.renewalExtended, on: 3, .sold("t1", from: 0, to: 29))),
    ]
}

@Suite("what cannot be")
struct TransitionRefusedTests {
    @Test("is refused, and leaves subscription and books as they were", arguments: Impossible.all)
    func refused(_ impossible: Impossible) {
        let bought = StoreEvent.told(.subscribed, on: 0, Impossible.first)
        let before = SubscriptionHistory.outcome(bought)
        let after = SubscriptionHistory.outcome(bought, impossible.event)
        #expect(after.rejections == [impossible.code])
        #expect(after.subscription == before.subscription)
        #expect(after.books == before.books)
        #expect(after.steps.last?.before == after.steps.last?.after)
    }

    @Test("a refund in another currency does not take access either")
    func refusedRefundKeepsAccess() {
        var transaction = Impossible.first.takenBack(on: 3)
        transaction.price = Money(minorUnits: 1_800, currency: .named("TRY"))
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Impossible.first),
            .told(.refunded, on: 3, transaction)
        )
        #expect(outcome.subscription.hasAccess(at: .day(4)))
    }

    @Test("nothing of a refused event is kept, not even who it says the customer is")
    func refusedNamesNobody() throws {
        var subscription = try Subscription.sample(in: .expired)
        let before = subscription
        var event = StoreEvent.told(.paused, on: 31, Impossible.first)
        event.transaction.customerToken = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        #expect(throws: TransitionRefused.self) { try subscription.apply(event) }
        #expect(subscription == before)
    }

    @Test("what comes after a refused event is taken")
    func goesOn() throws {
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Impossible.first),
            .told(.expired, on: 30, Impossible.first),
            .told(.paused, on: 31, Impossible.first),
            .told(.resubscribed, on: 40, .sold("t2", from: 40, to: 70))
        )
        #expect(outcome.rejections == [.alreadyEnded])
        #expect(outcome.subscription.state == .active)
        #expect(outcome.books.orders.count == 2)
    }

    @Test("the rejectionReason names the event and says why in a sentence")
    func message() throws {
        let event = StoreEvent.told(.paused, on: 31, Impossible.first)
        let outcome = SubscriptionHistory.outcome(
            .told(.subscribed, on: 0, Impossible.first),
            .told(.expired, on: 30, Impossible.first),
            event
        )
        let rejectionReason = try #require(outcome.steps.last?.rejectionReason)
        #expect(rejectionReason.eventID == event.id)
        #expect(rejectionReason.kind == .paused)
        #expect(rejectionReason.message == "Nothing can be paused: the subscription had ended (expired) before.")
        #expect(rejectionReason.file.hasPrefix("Billing/"))
    }
}
