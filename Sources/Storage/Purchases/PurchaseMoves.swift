package import Billing
import Foundation
import Postgres

/// A purchase that becomes somebody else's while both stay who they are.
extension PurchaseVerificationWrites {
    /// Gives a subscription with its history, and the former owner's orders of it with their credits, to another customer. The former owner's names lead
    /// to the other from now on, for this subscription alone.
    ///
    /// - Parameters:
    ///   - old: the former owner. Both are locked, and so is the subscription.
    package func move(
        _ subscription: Subscription.ID,
        from old: Customer.ID,
        to new: Customer.ID,
        of app: App.ID
    ) async throws {
        try await transaction.periods.noteAccess(of: [old, new], app: app) {
            try await transaction.pipeline([
                """
                UPDATE subscriptions
                SET customer_id = \(new), version = version + 1, updated_at = \(transaction.now)
                WHERE id = \(subscription) AND customer_id = \(old)
                """,
                """
                UPDATE orders
                SET customer_id = \(new), updated_at = \(transaction.now)
                WHERE subscription_id = \(subscription) AND customer_id = \(old)
                """,
                """
                UPDATE grants
                SET customer_id = \(new), version = version + 1, updated_at = \(transaction.now)
                WHERE subscription_id = \(subscription)
                """,
            ])
            try await transaction.periods.move(subscription, from: old, to: new, app: app)
        }
        try await transaction.credits.follow(subscription)
        let records: Query = "SELECT id FROM customers WHERE id = \(old) OR merged_into = \(old)"
        try await transaction.pipeline([
            """
            DELETE FROM purchase_moves
            WHERE subscription_id = \(subscription)
                AND from_customer_id IN (SELECT id FROM customers WHERE id = \(new) OR merged_into = \(new))
            """,
            """
            UPDATE purchase_moves
            SET to_customer_id = \(new)
            WHERE subscription_id = \(subscription) AND to_customer_id IN (\(records))
            """,
            """
            INSERT INTO purchase_moves (subscription_id, from_customer_id, to_customer_id, moved_at)
            SELECT \(subscription), id, \(new), \(transaction.now) FROM (\(records)) r
            ON CONFLICT (subscription_id, from_customer_id) DO UPDATE
            SET to_customer_id = excluded.to_customer_id, moved_at = excluded.moved_at
            """,
        ])
    }

    /// The app's rule for a device that shows a purchase of an account.
    package func transferBehavior(of app: App.ID) async throws -> TransferBehavior {
        try await transaction.query("SELECT transfer_behavior FROM apps WHERE id = \(app)").first?
            .decode(0, as: TransferBehavior.self) ?? .refuse
    }
}

extension TransferBehavior: PostgresEncodable, PostgresDecodable {}
extension OwnerHint: PostgresEncodable, PostgresDecodable {}
