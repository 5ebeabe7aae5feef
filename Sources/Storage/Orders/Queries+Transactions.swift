package import Billing
import Postgres

/// A store's transaction, as far as it is known here.
package struct KnownTransaction: Sendable, Hashable {
    package var transactionID: String
    package var orderNumber: String?
    package var customer: Customer.ID?
    package var subscription: Subscription.ID?
}

extension Queries {
    /// The known orders of a store's transactions, by the transactions' ids, and the subscriptions that their originals began.
    ///
    /// - Parameter originals: the original transaction of each.
    package func known(
        transactions ids: [String],
        originals: [String],
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment
    ) async throws -> [String: KnownTransaction] {
        try await reader.query(
            """
            SELECT t.id, o.number, coalesce(o.customer_id, s.customer_id), coalesce(o.subscription_id, s.id)
            FROM unnest(\(ids)::text[], \(originals)::text[]) AS t (id, original)
            LEFT JOIN LATERAL (
                SELECT own.number, own.customer_id, own.subscription_id
                FROM orders own
                WHERE own.app_id = \(app) AND own.store = \(store) AND own.environment = \(environment)
                    AND own.transaction_id = t.id AND own.joined_into IS NULL
                UNION ALL
                SELECT other.number, other.customer_id, other.subscription_id
                FROM order_aliases a
                JOIN orders other ON other.id = a.order_id
                WHERE a.app_id = \(app) AND a.store = \(store) AND a.environment = \(environment) AND a.transaction_id = t.id
                LIMIT 1
            ) o ON true
            LEFT JOIN subscriptions s
                ON s.app_id = \(app) AND s.store = \(store) AND s.environment = \(environment)
                AND s.original_transaction_id = t.original
            """
        ).reduce(into: [:]) { known, row in
            let (id, number, customer, subscription) = try row.decode(
                String.self,
                String?.self,
                Customer.ID?.self,
                Subscription.ID?.self
            )
            known[id] = KnownTransaction(
                transactionID: id,
                orderNumber: number,
                customer: customer,
                subscription: subscription
            )
        }
    }
}
