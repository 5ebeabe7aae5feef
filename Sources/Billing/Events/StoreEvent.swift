package import Foundation

/// One thing that happened to one subscription at a store: what every store's notification is translated into.
///
/// Events are facts with a signed date. A subscription's state is the fold of its events in the order of `signedAt`
/// (then `id`), whatever the order they arrived in.
package struct StoreEvent: Hashable, Sendable, Codable, Identifiable {
    /// The store's own id of the message (Apple `notificationUUID`, lower case): the same on every delivery.
    package var id: String
    package var store: Store
    package var environment: StoreEnvironment
    /// The time at which the store signed the message, to the millisecond; it decides the order.
    package var signedAt: Date
    package var kind: Kind
    /// The transaction that the message is about, as of `signedAt`.
    package var transaction: StoreTransaction
    package var renewal: RenewalTerms?
    /// The subscription's status at `signedAt` by the store's own account, where it gives one.
    package var status: Status?
    /// The customer's reason for asking for a refund; of `refundRequested` alone, where the store gives it.
    package var consumptionReason: ConsumptionReason?
    /// The store's token of its question about a refund, which it wants back with the answer (Google's `pendingRefundToken`); of
    /// `refundRequested` alone.
    package var reviewToken: String?
    /// True of an end that no store has reported: it follows from time alone (`StoreEvent+Clock.swift`).
    package var isByClock: Bool?
    /// True if the store waits to be told that the purchase was delivered (`StoreRules.acknowledgementTime`).
    package var awaitsAcknowledgement: Bool?
    /// The end of the store's patience with that, where the store counts from another moment than the purchase of the transaction.
    package var acknowledgeBy: Date?
    /// The token by which the store is asked about the purchase (Google's `purchaseToken`). An order may name another: a change of plans
    /// that waits for the end of the period is a purchase without an order of its own. nil of a purchase whose place another took.
    package var purchaseToken: String?

    package init(
        id: String,
        store: Store,
        environment: StoreEnvironment,
        signedAt: Date,
        kind: Kind,
        transaction: StoreTransaction,
        renewal: RenewalTerms? = nil,
        status: Status? = nil,
        consumptionReason: ConsumptionReason? = nil,
        reviewToken: String? = nil,
        isByClock: Bool? = nil,
        awaitsAcknowledgement: Bool? = nil,
        acknowledgeBy: Date? = nil,
        purchaseToken: String? = nil
    ) {
        self.id = id
        self.store = store
        self.environment = environment
        self.signedAt = signedAt
        self.kind = kind
        self.transaction = transaction
        self.renewal = renewal
        self.status = status
        self.consumptionReason = consumptionReason
        self.reviewToken = reviewToken
        self.isByClock = isByClock
        self.awaitsAcknowledgement = awaitsAcknowledgement
        self.acknowledgeBy = acknowledgeBy
        self.purchaseToken = purchaseToken
    }

    /// The store's status of a subscription, apart from the event itself (Apple: `data.status`). The database keeps the raw values.
    package enum Status: String, Sendable, Codable, CaseIterable {
        case active
        case expired
        /// A charge failed and the store tries again; no access.
        case billingRetry = "billing_retry"
        /// A charge failed and the store tries again; access goes on.
        case gracePeriod = "grace_period"
        case revoked
    }

    /// The kind of event. The database keeps the raw values.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// First purchase of the subscription. Charges.
        case subscribed
        /// Bought again after it had ended. Charges.
        case resubscribed
        /// The next period was paid. Charges.
        case renewed
        /// The next period was paid after a failed charge. Charges.
        case recovered
        /// Changed to a higher product at once. Charges.
        case upgraded
        /// Will change to a lower product at the end of the period.
        case downgradeScheduled
        /// A scheduled change was taken back.
        case planChangeCancelled
        case autoRenewEnabled
        case autoRenewDisabled
        /// An offer was applied; charges when it brings a new transaction.
        case offerRedeemed
        /// Seats were added, or the next period will have more or fewer. Charges when it brings a new transaction.
        case seatsChanged
        /// A charge failed; access goes on until the grace period's end.
        case gracePeriodEntered
        /// A charge failed; no access while the store tries again.
        case billingRetryEntered
        /// The grace period ended without payment; the store goes on trying.
        case gracePeriodExpired
        case expired
        case priceIncreasePending
        case priceIncreaseAccepted
        /// The store gave money back (fully, or the revocation's share).
        case refunded
        /// The store gave the money of some seats back; the purchase stands for the others.
        case seatsRefunded
        case refundDeclined
        /// A refund was taken back: the charge stands again.
        case refundReversed
        /// The customer asked the store for a refund and the store asks us.
        case refundRequested
        /// Family sharing of this purchase ended, or a seat was taken from this customer.
        case revoked
        /// The period's end was moved later without a charge.
        case renewalExtended
        case renewalExtensionFailed
        /// A period that was bought at our own checkout begins at another time than it was sold for: one before it was given back.
        case periodMoved
        /// Bought something that does not renew. Charges.
        case purchasedOnce
        case paused
        case resumed
        /// The store was asked, and says how one of its transactions stands. Charges when nothing else has told of the transaction.
        case observed
        /// Something the books keep and no state depends on (metadata, migration, price of an item).
        case informational
    }
}

extension StoreEvent {
    /// The longest identifier of a store, in bytes.
    package static let longestIdentifier = 255

    /// The years 1970 to 2999, as `BusinessDay.nameable`: what an event can say of itself.
    package static let possibleDates = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 32_503_679_999)
}
