package import Billing
import Postgres

extension CustomerWrites {
    /// Ends the record of a customer of whom only a store has spoken, by a subscription that named no account then, in that of whoever
    /// turned out to have the subscription. Who holds another subscription, or was named by the app, stays.
    ///
    /// On which day the other was first seen is for their own purchases to say, whatever arrived first.
    package func endPlaceholder(_ placeholder: Customer.ID, in owner: Customer.ID, of app: App.ID) async throws {
        let row = try await transaction.query(
            """
            SELECT EXISTS (SELECT FROM orders x WHERE x.customer_id = c.id) OR EXISTS (SELECT FROM grants x WHERE x.customer_id = c.id)
                OR EXISTS (SELECT FROM customer_notes x WHERE x.customer_id = c.id)
                OR EXISTS (SELECT FROM customer_sessions x WHERE x.customer_id = c.id)
                OR EXISTS (SELECT FROM usage_counters x WHERE x.customer_id = c.id)
            FROM customers c
            JOIN customers o ON o.id = \(owner)
            WHERE c.id = \(placeholder) AND c.merged_into IS NULL AND c.deleted_at IS NULL AND o.deleted_at IS NULL
                AND num_nonnulls(c.app_account_token, c.external_id, c.identified_at) = 0
                AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id)
            """
        ).first
        guard let row else { return }
        guard try !row.decode(0, as: Bool.self) else {
            return try await merge(placeholder, into: owner, of: app)
        }
        try await transaction.query(
            """
            UPDATE customers
            SET merged_into = \(owner), merged_at = coalesce(merged_at, \(transaction.now))
            WHERE id = \(placeholder) OR merged_into = \(placeholder)
            """
        )
    }
}
