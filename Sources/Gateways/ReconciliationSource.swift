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
