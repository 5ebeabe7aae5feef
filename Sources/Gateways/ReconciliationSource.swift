package import Billing
package import Foundation

/// A store that can be asked for what it sent, and for where its subscriptions stand.
package protocol ReconciliationSource: Sendable {
    /// How long the store remembers what it sent, in seconds.
    func memory(in environment: StoreEnvironment) -> TimeInterval

    /// Reads what the store sent in a span, a page at a time. A message may come twice.
    ///
    /// - Parameter take: is given each page, and has to be done with it before the next is asked for.
    /// - Throws: `GatewayError` for what the store did, and what `take` throws.
    func readSentMessages(
        from start: Date,
        to end: Date,
        in environment: StoreEnvironment,
        _ take: @Sendable ([SentMessage]) async throws -> Void
    ) async throws

    /// How a subscription stands by the store's account: an `observed` event of its newest transaction, and of those that are not
    /// known here.
    ///
    /// - Parameter known: the subscription's transactions that are known here.
    /// - Returns: nil where the store does not know the subscription.
    /// - Throws: `.unreachable` when it should be asked again.
    func events(
        of originalTransactionID: String,
        besides known: Set<String>,
        in environment: StoreEnvironment,
        at now: Date
    ) async throws(GatewayError) -> [StoreEvent]?

    /// Has the store send a test notification to the app's address.
    ///
    /// - Returns: what its fate is asked for with.
    func requestTestNotification(in environment: StoreEnvironment) async throws(GatewayError) -> String

    /// What became of a test notification; nil before the store has tried to send it.
    func testNotification(
        _ token: String,
        in environment: StoreEnvironment
    ) async throws(GatewayError) -> SentTestNotification?
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

/// A message that the store says it sent.
package struct SentMessage: Sendable {
    package var delivery: StoreDelivery
    /// Whether the store holds that it arrived.
    package var wasDelivered: Bool

    package init(_ delivery: StoreDelivery, wasDelivered: Bool) {
        self.delivery = delivery
        self.wasDelivered = wasDelivered
    }
}
