package import Foundation

/// One subscription at one store, keyed by (app, store, original transaction id) (product.md, decision 3).
///
/// It is a value: the fold of its store events. `Subscription+Transition.swift` decides, `Subscription+Access.swift`
/// answers.
package struct Subscription: Hashable, Sendable {
    package typealias ID = Identifier<Subscription>

    package var state: State = .pending
    /// The store's product of the current period.
    package var productID: String?
    /// The store's transaction that paid for (or opened) the current period.
    package var transactionID: String?
    /// The first purchase of the subscription.
    package var startedAt: Date?
    package var periodStartsAt: Date?
    /// The end of what is paid for; nil for what never ends (a lifetime product).
    package var periodEndsAt: Date?
    /// The start of unbroken access, where periods are bought one by one at our own checkout: the first of them may lie ahead, behind what
    /// was bought elsewhere. nil where access begins with the purchase.
    package var accessStartsAt: Date?
    package var gracePeriodEndsAt: Date?
    package var renewsAutomatically = false
    /// The product that the next period will be of, when it is another one.
    package var nextProductID: String?
    package var renewalPrice: Money?
    /// The other facts about the next renewal; `nextRenewal(at:)` says whether there will be one.
    package var nextRenewal = NextRenewal()
    /// The latest free trial, also after it was paid.
    package var trialStartedAt: Date?
    package var trialEndsAt: Date?
    /// The time at which renewal of the current period was turned off; nil while it is on.
    package var cancelledAt: Date?
    /// The end of access of the current period, once the store has reported it; nil before.
    package var endedAt: Date?
    package var endReason: ExpirationReason?
    /// Somebody else pays: it is shared by family, or a seat that was assigned.
    package var isFamilyShared = false
    /// True if it is a seat that an organization or the buyer of a group assigned to this customer.
    package var isAssigned = false
    /// The current period's seats; nil for a product that is not sold by them, and for a member who only has one of them.
    package var seats: HeldSeats?
    /// The longer commitment that the current period is part of; nil for a period that is paid at once.
    package var commitment: Commitment?
    /// The time at which renewal after the whole commitment was turned off; nil while it is on. Its remaining months continue.
    package var commitmentCancelledAt: Date?
    /// The app's account token of the latest event that carried one.
    package var customerToken: UUID?
    /// The account that installed the app, by the latest event that named one (Apple's `appTransactionId`).
    package var appTransactionID: String?
    package var lastSignedAt: Date?
    /// The periods before the current one, of purchases at our own checkout; the current one may begin where they end.
    var past: [PastPeriod] = []

    package init() {}

    /// The state of a subscription (product.md, decision 4). The database keeps the raw values.
    ///
    /// "Can transition to" is about one period. Whatever the state, a transaction of a later period opens that period
    /// first: `trial` when it is free, `active` otherwise, `cancelled` when the store says that it will not renew.
    /// Time alone also moves some of them, see `state(at:)`.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Nothing that gives access was sold yet: no event, or only notes and consumables. No access. What was bought ahead stands so until
        /// its first period begins (`state(at:)`), whatever the stored state.
        ///
        /// Moved by the first transaction. Can transition to: every other state, as the first message may be any.
        case pending
        /// A free period that will renew for money. Access until the period's end.
        ///
        /// Moved by the store, by the customer (renewal off), and by time.
        /// Can transition to: `active` (paid), `cancelled`, `gracePeriod`, `billingRetry`, `paused`, `trialExpired`,
        /// `revoked`.
        case trial
        /// Paid, and will renew (or never ends, or never renews by its nature). Access until the period's end.
        ///
        /// Moved by the store, by the customer (renewal off), and by time.
        /// Can transition to: `cancelled`, `gracePeriod`, `billingRetry`, `paused`, `expired`, `revoked`.
        case active
        /// A charge failed and the store tries again. Access until the later of the period's and the grace period's
        /// end.
        ///
        /// Moved by the store, and by time (to `billingRetry`). Can transition to: `active`, `trial` or `cancelled`
        /// (extended), `billingRetry`, `paused`, `expired`, `revoked`.
        case gracePeriod = "grace_period"
        /// A charge failed and the store tries again, for up to 60 days. No access.
        ///
        /// Moved by the store, and by time (to `expired`). Can transition to: `active`, `trial` or `cancelled`
        /// (extended), `gracePeriod`, `paused`, `expired`, `revoked`.
        case billingRetry = "billing_retry"
        /// Renewal is off. Access until the end of what is paid for, or of the free trial.
        ///
        /// Moved by the customer (renewal on again), by the store, and by time.
        /// Can transition to: `active` or `trial` (renewal on), `gracePeriod`, `billingRetry`, `paused`, `expired`,
        /// `revoked`.
        case cancelled
        /// The customer put it to rest at the store. No access.
        ///
        /// Moved by the customer and the store.
        /// Can transition to: `active`, `trial` or `cancelled` (resumed), `gracePeriod`, `billingRetry`, `expired`,
        /// `revoked`.
        case paused
        /// Ended, for the reason in `endReason`. No access.
        ///
        /// Moved by the store. Can transition to: `active`, `trial` or `cancelled` (the end was moved later), `revoked`
        /// (refunded afterwards).
        case expired
        /// A free trial ended while renewal was on, and nobody paid. No access.
        ///
        /// Moved by the store. Can transition to: `active`, `trial` or `cancelled` (the end was moved later),
        /// `revoked`.
        case trialExpired = "trial_expired"
        /// The store took the current period back: refunded (of a period of several transactions: all of them), no longer shared by
        /// family, or a seat taken away. No access.
        ///
        /// Moved by the store. Can transition to: `active`, `trial` or `cancelled` (the refund was reversed).
        case revoked
    }
}
