package import Billing
package import Foundation

/// A store that can be asked for what it sent, and for where its subscriptions stand.
package protocol ReconciliationSource: Sendable {
    /// The time, in seconds, for which the store keeps the messages that it sent.
    func memory(in environment: StoreEnvironment) -> TimeInterval

    /// Reads the messages that the store sent in a time range, a page at a time. A message may come twice.
    ///
    /// - Parameter take: receives each page, and has to be done with it before the next one is requested.
    /// - Throws: `StoreFailure` for the store's failures, and the errors of `take`.
    func readSentMessages(
        from start: Date,
        to end: Date,
        in environment: StoreEnvironment,
        _ take: @Sendable (SentPage) async throws -> Void
    ) async throws

    /// The subscription's state by the store's account: an `observed` event of its newest transaction, and one of each transaction that is
    /// not known here.
    ///
    /// - Parameter known: the subscription's transactions that are known here.
    /// - Returns: nil where the store says that it does not know the subscription.
    func events(
        of originalTransactionID: String,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding?

    /// The same of a subscription whose newest purchase has a token of its own, which says more than its transactions do.
    ///
    /// - Parameter token: `StoreEvent.purchaseToken` of the newest event that has one.
    func events(
        of originalTransactionID: String,
        by token: String?,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding?

    /// One transaction's state by the store's account, as an `observed` event.
    ///
    /// - Returns: nil where the store does not know it.
    /// - Throws: `.unanswered` when it should be asked again.
    func transaction(
        _ id: String,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> StoreEvent?

    /// Has the store send a test notification to the app's address.
    ///
    /// - Returns: the token for asking about its result.
    func requestTestNotification(in environment: StoreEnvironment) async throws(StoreFailure) -> String

    /// The result of a test notification; nil before the store has tried to send it.
    func testNotification(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(StoreFailure) -> SentTestNotification?
}

extension ReconciliationSource {
    /// Of a store whose purchases have no tokens.
    package func events(
        of originalTransactionID: String,
        by token: String?,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(StoreFailure) -> SubscriptionStanding? {
        try await events(of: originalTransactionID, besides: known, in: environment, at: now)
    }
}

/// A test notification that the store tried to send.
package struct SentTestNotification: Sendable, Hashable {
    /// The store's own id of it, as the inbox has it.
    package var id: String
    package var wasDelivered: Bool
    /// In the store's own words (Apple `sendAttemptResult`).
    package var result: String?

    package init(id: String, wasDelivered: Bool, result: String?) {
        self.id = id
        self.wasDelivered = wasDelivered
        self.result = result
    }
}

/// One page of a store's list of sent messages.
package struct SentPage: Sendable {
    package var messages: [SentMessage]
    /// The errors of entries that could not be read, one each; the page's other entries are taken all the same.
    package var unreadable: [String]

    package init(_ messages: [SentMessage], unreadable: [String] = []) {
        self.messages = messages
        self.unreadable = unreadable
    }
}

/// A subscription's standing by its store.
package struct SubscriptionStanding: Sendable, Hashable {
    package var events: [StoreEvent]
    /// The errors of earlier transactions that could not be read, one each.
    package var unreadable: [String]

    package init(_ events: [StoreEvent], unreadable: [String] = []) {
        self.events = events
        self.unreadable = unreadable
    }
}

/// A message that the store says it sent.
package struct SentMessage: Sendable {
    package var delivery: StoreDelivery
    /// True if the store considers it delivered.
    package var wasDelivered: Bool

    package init(_ delivery: StoreDelivery, wasDelivered: Bool) {
        self.delivery = delivery
        self.wasDelivered = wasDelivered
    }
}
