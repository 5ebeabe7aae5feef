package import Billing
package import Foundation
import Postgres

/// The extent to which stores have confirmed a customer's purchases.
package struct StoreConfirmation: Sendable, Hashable {
    /// The time of the last request to a store, or of its last message; nil for never.
    package var lastHeardAt: Date?
    /// The newest proof of purchase that waits for its store; nil where none does.
    package var awaited: AwaitedProof?
    /// The store's transaction that opened the current period, of each subscription.
    package var transactionIDs: [Subscription.ID: String]

    /// True if a proof of purchase waits for its store.
    package var isAwaited: Bool { awaited != nil }

    /// A proof of purchase that waits for its store.
    package struct AwaitedProof: Sendable, Hashable {
        package var id: PurchaseVerification.ID
        package var store: Store
        package var requestedAt: Date
    }
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
            SELECT greatest(asked_at, finished_at), state IN ('pending', 'provisional'), id, store, requested_at
            FROM purchase_verifications
            WHERE customer_id IN (SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer))
            ORDER BY requested_at DESC, id DESC
            LIMIT 50
            """
        )
        var confirmation = StoreConfirmation(lastHeardAt: nil, awaited: nil, transactionIDs: [:])
        for row in try await subscriptions {
            let (id, transaction, moment) = try row.decode(Subscription.ID.self, String?.self, Date?.self)
            confirmation.transactionIDs[id] = transaction
            confirmation.heard(at: moment)
        }
        for row in try await proofs {
            let (moment, isAwaited, id, store, requestedAt) = try row.decode(
                Date?.self,
                Bool.self,
                PurchaseVerification.ID.self,
                Store.self,
                Date.self
            )
            if isAwaited, confirmation.awaited == nil {
                confirmation.awaited = StoreConfirmation.AwaitedProof(id: id, store: store, requestedAt: requestedAt)
            }
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
