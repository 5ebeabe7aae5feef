import Billing
import Foundation
import Testing

/// A row of Apple's types and subtypes, as the kind it is translated into, and what it must do to a monthly
/// subscription bought on day 0 for 18.00.
struct AppleCombination: CustomTestStringConvertible, Sendable {
    var number: Int
    var name: String
    var kind: StoreEvent.Kind
    var transaction: StoreTransaction
    var terms: RenewalTerms?
    /// Told before, after the purchase of `t1` where there is one.
    var before: [StoreEvent] = []
    var state: Subscription.State
    var endsOn: Double?
    /// All that the books hold afterwards, order by order.
    var ledger: String

    var testDescription: String { "#\(number) \(name)" }

    static let first = StoreTransaction.sold("t1", from: 0, to: 30)
    static let second = StoreTransaction.sold("t2", from: 30, to: 60, reason: .renewal)
    static let bought = [StoreEvent.told(.subscribed, on: 0, first)]
    static let paid = "initial_purchase 18.00"
}

extension AppleCombination {
    init(
        _ number: Int,
        _ name: String,
        _ kind: StoreEvent.Kind,
        _ transaction: StoreTransaction = first,
        _ terms: RenewalTerms? = nil,
        after before: [StoreEvent] = bought,
        state: Subscription.State,
        endsOn: Double? = 30,
        ledger: String = paid
    ) {
        self.init(
            number: number,
            name: name,
            kind: kind,
            transaction: transaction,
            terms: terms,
            before: before,
            state: state,
            endsOn: endsOn,
            ledger: ledger
        )
    }

    // 29 RENEWAL_EXTENSION/SUMMARY, 32 to 34 EXTERNAL_PURCHASE_TOKEN, 35 RESCIND_CONSENT and 39 TEST carry no
    // transaction: they never become an event of a subscription.
    static let all: [AppleCombination] = [
        AppleCombination(1, "SUBSCRIBED/INITIAL_BUY", .subscribed, after: [], state: .active),
        AppleCombination(
            2,
            "SUBSCRIBED/RESUBSCRIBE",
            .resubscribed,
            .sold("t2", from: 100, to: 130),
            after: bought + [.told(.expired, on: 30, first)],
            state: .active,
            endsOn: 130,
            ledger: "\(paid); initial_purchase 18.00"
        ),
        AppleCombination(
            3,
            "DID_RENEW",
            .renewed,
            second,
            state: .active,
            endsOn: 60,
            ledger: "\(paid); renewal 18.00"
        ),
        AppleCombination(
            4,
            "DID_RENEW/BILLING_RECOVERY",
            .recovered,
            .sold("t2", from: 40, to: 70),
            after: bought + [.told(.billingRetryEntered, on: 30, first)],
            state: .active,
            endsOn: 70,
            ledger: "\(paid); renewal 18.00"
        ),
        AppleCombination(
            5,
            "DID_CHANGE_RENEWAL_PREF/UPGRADE",
            .upgraded,
            .sold("t2", from: 10, to: 40, for: .yuan(38), "premium.monthly"),
            state: .active,
            endsOn: 40,
            ledger: "\(paid), upgrade_credit -12.00; upgrade 38.00"
        ),
        AppleCombination(
            6,
            "DID_CHANGE_RENEWAL_PREF/DOWNGRADE",
            .downgradeScheduled,
            first,
            .renews(next: "basic.monthly"),
            state: .active
        ),
        AppleCombination(
            7,
            "DID_CHANGE_RENEWAL_PREF",
            .planChangeCancelled,
            first,
            .renews(next: "pro.monthly"),
            state: .active
        ),
        AppleCombination(
            8,
            "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
            .autoRenewEnabled,
            first,
            .renews(),
            after: bought + [.told(.autoRenewDisabled, on: 3, first, .renews(false))],
            state: .active
        ),
        AppleCombination(
            9,
            "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            .autoRenewDisabled,
            first,
            .renews(false),
            state: .cancelled
        ),
        AppleCombination(10, "OFFER_REDEEMED, next period", .offerRedeemed, first, .renews(), state: .active),
        AppleCombination(
            10,
            "OFFER_REDEEMED, new transaction",
            .offerRedeemed,
            .sold("t2", from: 10, to: 40, for: .yuan(9)),
            state: .active,
            endsOn: 40,
            ledger: "\(paid); initial_purchase 9.00"
        ),
        AppleCombination(
            11,
            "OFFER_REDEEMED/UPGRADE",
            .upgraded,
            .sold("t2", from: 10, to: 40, for: .yuan(9), "premium.monthly"),
            state: .active,
            endsOn: 40,
            ledger: "\(paid), upgrade_credit -12.00; upgrade 9.00"
        ),
        AppleCombination(
            12,
            "OFFER_REDEEMED/DOWNGRADE",
            .downgradeScheduled,
            first,
            .renews(next: "basic.monthly"),
            state: .active
        ),
        AppleCombination(
            13,
            "DID_FAIL_TO_RENEW/GRACE_PERIOD",
            .gracePeriodEntered,
            first,
            .grace(until: 46),
            state: .gracePeriod
        ),
        AppleCombination(14, "DID_FAIL_TO_RENEW", .billingRetryEntered, state: .billingRetry),
        AppleCombination(
            15,
            "GRACE_PERIOD_EXPIRED",
            .gracePeriodExpired,
            after: bought + [.told(.gracePeriodEntered, on: 30, first, .grace(until: 46))],
            state: .billingRetry
        ),
        AppleCombination(
            16,
            "EXPIRED/VOLUNTARY",
            .expired,
            first,
            .renews(false, because: .cancelled),
            after: bought + [.told(.autoRenewDisabled, on: 3, first, .renews(false))],
            state: .expired
        ),
        AppleCombination(
            17,
            "EXPIRED/BILLING_RETRY",
            .expired,
            first,
            .renews(false, because: .billingError),
            after: bought + [.told(.billingRetryEntered, on: 30, first)],
            state: .expired
        ),
        AppleCombination(
            18,
            "EXPIRED/PRICE_INCREASE",
            .expired,
            first,
            .renews(because: .priceIncreaseRefused),
            state: .expired
        ),
        AppleCombination(
            19,
            "EXPIRED/PRODUCT_NOT_FOR_SALE",
            .expired,
            first,
            .renews(because: .productUnavailable),
            state: .expired
        ),
        AppleCombination(20, "EXPIRED", .expired, first, .renews(because: .other), state: .expired),
        AppleCombination(21, "PRICE_INCREASE/PENDING", .priceIncreasePending, first, .renews(), state: .active),
        AppleCombination(22, "PRICE_INCREASE/ACCEPTED", .priceIncreaseAccepted, first, .renews(), state: .active),
        AppleCombination(
            23,
            "REFUND of the current period",
            .refunded,
            first.takenBack(on: 6),
            state: .revoked,
            ledger: "\(paid), refund -18.00"
        ),
        AppleCombination(
            23,
            "REFUND of an old period",
            .refunded,
            first.takenBack(on: 35),
            after: bought + [.told(.renewed, on: 30, second)],
            state: .active,
            endsOn: 60,
            ledger: "\(paid), refund -18.00; renewal 18.00"
        ),
        AppleCombination(24, "REFUND_DECLINED", .refundDeclined, state: .active),
        AppleCombination(
            25,
            "REFUND_REVERSED",
            .refundReversed,
            after: bought + [.told(.refunded, on: 6, first.takenBack(on: 6))],
            state: .active,
            ledger: "\(paid), refund -18.00, refund_reversal 18.00"
        ),
        AppleCombination(26, "CONSUMPTION_REQUEST", .refundRequested, state: .active),
        AppleCombination(
            27,
            "REVOKE",
            .revoked,
            .sold("t1", from: 0, to: 30, family: true, revocation: .init(at: .day(6))),
            after: [.told(.subscribed, on: 0, .sold("t1", from: 0, to: 30, family: true))],
            state: .revoked,
            ledger: ""
        ),
        AppleCombination(
            28,
            "RENEWAL_EXTENDED",
            .renewalExtended,
            .sold("t1", from: 0, to: 44),
            state: .active,
            endsOn: 44
        ),
        AppleCombination(30, "RENEWAL_EXTENSION/FAILURE", .renewalExtensionFailed, state: .active),
        AppleCombination(
            31,
            "ONE_TIME_CHARGE, lifetime",
            .purchasedOnce,
            .sold("t1", from: 0, to: nil, for: .yuan(498), "pro.lifetime", kind: .nonConsumable),
            after: [],
            state: .active,
            endsOn: nil,
            ledger: "initial_purchase 498.00"
        ),
        AppleCombination(
            31,
            "ONE_TIME_CHARGE, consumable",
            .purchasedOnce,
            .sold("t1", from: 0, to: nil, for: .yuan(6), "coins", kind: .consumable),
            after: [],
            state: .pending,
            endsOn: nil,
            ledger: "initial_purchase 6.00"
        ),
        AppleCombination(36, "METADATA_UPDATE", .informational, state: .active),
        AppleCombination(37, "MIGRATION", .informational, state: .active),
        AppleCombination(38, "PRICE_CHANGE", .informational, state: .active),
    ]
}

@Suite("Apple's types and subtypes")
struct AppleCombinationTests {
    @Test("each does what its row says, and nothing is refused", arguments: AppleCombination.all)
    func row(_ row: AppleCombination) {
        let signed: Double = row.number == 2 ? 100 : 47
        let event = StoreEvent.told(row.kind, on: signed, row.transaction, row.terms)
        let outcome = SubscriptionHistory(row.before + [event]).replay()
        #expect(outcome.rejections.isEmpty)
        #expect(outcome.subscription.state == row.state)
        #expect(outcome.subscription.periodEndsAt == row.endsOn.map { .day($0) })
        let ledger = outcome.books.orders.map { order in
            order.entries.map { "\($0.kind.rawValue) \($0.amount.decimalText)" }.joined(separator: ", ")
        }
        #expect(ledger.joined(separator: "; ") == row.ledger)
    }

    @Test("a scheduled downgrade is remembered, and forgotten when it is taken back")
    func scheduledChange() {
        let first = AppleCombination.first
        let scheduled = StoreEvent.told(.downgradeScheduled, on: 3, first, .renews(next: "basic.monthly"))
        let taken = StoreEvent.told(.planChangeCancelled, on: 4, first, .renews(next: "pro.monthly"))
        let bought = AppleCombination.bought
        #expect(SubscriptionHistory(bought + [scheduled]).replay().subscription.nextProductID == "basic.monthly")
        #expect(SubscriptionHistory(bought + [scheduled, taken]).replay().subscription.nextProductID == nil)
    }

    @Test(
        "the reason of an ending is Apple's expiration intent",
        arguments: [ExpirationReason.cancelled, .billingError, .priceIncreaseRefused, .productUnavailable, .other]
    )
    func reason(_ reason: ExpirationReason) {
        let event = StoreEvent.told(.expired, on: 31, AppleCombination.first, .renews(false, because: reason))
        let outcome = SubscriptionHistory(AppleCombination.bought + [event]).replay()
        #expect(outcome.subscription.endReason == reason)
        #expect(outcome.subscription.endedAt == .day(30))
        #expect(outcome.subscription.cancelledAt == nil, "renewal is off because it ended")
    }
}
