package import Billing
import Postgres

extension CustomerWrites {
    /// Ends the record of a customer of whom only a store has spoken, by a subscription that named no account then, in that of whoever
    /// turned out to have the subscription. Who holds another subscription, or was named by the app, stays.
    package func endPlaceholder(_ placeholder: Customer.ID, in owner: Customer.ID, of app: App.ID) async throws {
        let rows = try await transaction.query(
            """
            SELECT
            FROM customers c
            JOIN customers o ON o.id = \(owner)
            WHERE c.id = \(placeholder) AND c.merged_into IS NULL AND c.deleted_at IS NULL AND o.deleted_at IS NULL
                AND num_nonnulls(c.app_account_token, c.external_id, c.identified_at) = 0
                AND NOT EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id)
            """
        )
        guard !rows.isEmpty else { return }
        try await merge(placeholder, into: owner, of: app)
    }
}
