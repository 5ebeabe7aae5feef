package import Billing
import Foundation
import Postgres

extension CustomerWrites {
    /// The text that staff see in place of a deleted customer's note.
    package static let erasedText = "erased"

    /// True if a customer was deleted; nil where the app has none with that id.
    package func isDeleted(_ customer: Customer.ID, of app: App.ID) async throws -> Bool? {
        try await transaction.query(
            "SELECT deleted_at IS NOT NULL FROM customers WHERE id = \(customer) AND app_id = \(app)"
        ).first?.decode(0, as: Bool.self)
    }

    /// True if the app itself names the customer, and not only a provider.
    package func isNamed(_ customer: Customer.ID) async throws -> Bool {
        try await transaction.query("SELECT external_id IS NOT NULL FROM customers WHERE id = \(customer)")
            .first?.decode(0, as: Bool.self) ?? false
    }

    /// Erases the personal data of a customer and of those who were merged into them.
    ///
    /// Names, addresses, pictures and the app's own id go; notes lose their text; staff's input in lists of customers becomes the
    /// key; Apple's notifications lose their person. docs/api/sign-in.md lists the rest, column by column.
    ///
    /// - Parameter customer: locked.
    package func erase(_ customer: Customer.ID) async throws {
        let own: Query = "SELECT id FROM customers WHERE id = \(customer) OR merged_into = \(customer)"
        try await transaction.pipeline([
            // Before the identities go, which say whom they are about.
            """
            UPDATE apple_account_notifications n
            SET subject = '', email = NULL, is_private_email = NULL
            FROM sign_in_subjects s
            JOIN sign_in_identities i ON i.id = s.identity_id
            WHERE i.customer_id IN (\(own)) AND s.provider = 'apple' AND n.app_id = s.app_id AND n.subject = s.subject
            """,
            "DELETE FROM refused_links WHERE customer_id IN (\(own))",
            "DELETE FROM customer_activity WHERE customer_id IN (\(own))",
            """
            UPDATE customers
            SET name = NULL, email = NULL, avatar_url = NULL, external_id = NULL, deleted_at = \(transaction.now)
            WHERE id IN (\(own))
            """,
            """
            UPDATE customer_notes
            SET text = \(Self.erasedText), withdrawn_at = coalesce(withdrawn_at, \(transaction.now))
            WHERE customer_id IN (\(own)) AND text <> \(Self.erasedText)
            """,
            """
            UPDATE checkouts
            SET payer_hash = NULL, payer_mask = NULL, bank = NULL, return_url = NULL, client_address = NULL
            WHERE customer_id IN (\(own))
                AND num_nonnulls(payer_hash, payer_mask, bank, return_url, client_address) > 0
            """,
            """
            UPDATE bulk_job_items b
            SET input = c.key
            FROM customers c
            WHERE b.customer_id = c.id AND c.id IN (\(own))
            """,
        ])
    }
}
