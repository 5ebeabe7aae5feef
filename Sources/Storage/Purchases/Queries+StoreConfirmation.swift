package import Billing
package import Foundation
import Postgres

/// The extent to which stores have confirmed a customer's purchases.
package struct StoreConfirmation: Sendable, Hashable {
    /// The time of the last request to a store, or of its last message; nil for never.
    package var lastHeardAt: Date?
    /// True if a proof of purchase waits for its store.
    package var isAwaited: Bool
    /// The store's transaction that opened the current period, of each subscription.
    package var transactionIDs: [Subscription.ID: String]
}

extension Queries {
    /// The stores' confirmation of a customer's purchases, by their subscriptions and their newest proofs.
    package func storeConfirmation(of customer: Customer.ID) async throws -> StoreConfirmation {
        async let subscriptions = reader.query(
            """
            SELECT id, transaction_id, greatest(last_signed_at, checked_at)
            FROM subscriptions
            WHERE customer_id = \(customer)
            """
        )
        async let proofs = reader.query(
            """
            SELECT greatest(asked_at, finished_at), state IN ('pending', 'provisional')
            FROM purchase_verifications
            WHERE customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            ORDER BY requested_at DESC, id DESC
            LIMIT 50
            """
        )
        var confirmation = StoreConfirmation(lastHeardAt: nil, isAwaited: false, transactionIDs: [:])
        for row in try await subscriptions {
            let (id, transaction, moment) = try row.decode(Subscription.ID.self, String?.self, Date?.self)
            confirmation.transactionIDs[id] = transaction
            confirmation.heard(at: moment)
        }
        for row in try await proofs {
            let (moment, isAwaited) = try row.decode(Date?.self, Bool.self)
            confirmation.isAwaited = confirmation.isAwaited || isAwaited
            confirmation.heard(at: moment)
        }
        return confirmation
    }
}

extension StoreConfirmation {
    fileprivate mutating func heard(at moment: Date?) {
        lastHeardAt = [lastHeardAt, moment].compactMap(\.self).max()
    }
}
