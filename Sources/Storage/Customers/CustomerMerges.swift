package import Billing
import Foundation
import Postgres

extension CustomerWrites {
    /// Ends one customer's record in another's, with all that it holds: subscriptions, orders, grants, notes, consents, usage, what
    /// staff did. What named it names the other from now on. The metrics follow; what they said on earlier days stays as it was known.
    /// Of the consents of both the last holds; a case of either that waited for it is answered.
    ///
    /// - Parameters:
    ///   - gone: whose record ends; it is merged into nobody yet.
    ///   - survivor: merged into nobody either.
    package func merge(_ gone: Customer.ID, into survivor: Customer.ID, of app: App.ID) async throws {
        _ = try await transaction.entitlementSources.lock([gone, survivor], of: app)
        try await transaction.periods.noteAccess(of: [gone, survivor], app: app) {
            let results = try await transaction.pipeline([
                """
                UPDATE subscriptions
                SET customer_id = \(survivor), version = version + 1, updated_at = \(transaction.now)
                WHERE customer_id = \(gone)
                RETURNING id
                """,
                """
                UPDATE orders SET customer_id = \(survivor), updated_at = \(transaction.now) WHERE customer_id = \(gone)
                """,
                """
                UPDATE grants
                SET customer_id = \(survivor), version = version + 1, updated_at = \(transaction.now)
                WHERE customer_id = \(gone)
                """,
                "UPDATE customer_notes SET customer_id = \(survivor) WHERE customer_id = \(gone)",
                "UPDATE entitlement_actions SET customer_id = \(survivor) WHERE customer_id = \(gone)",
                "UPDATE consumption_consents SET customer_id = \(survivor) WHERE customer_id = \(gone)",
            ])
            for row in results[0] {
                let subscription = try row.decode(0, as: Subscription.ID.self)
                try await transaction.periods.move(subscription, from: gone, to: survivor, app: app)
            }
        }
        try await transaction.pipeline([
            """
            UPDATE customers AS c
            SET created_at = gone.created_at
            FROM customers gone
            WHERE c.id = \(survivor) AND gone.id = \(gone) AND gone.created_at < c.created_at
            """,
            """
            UPDATE customers
            SET merged_into = \(survivor), merged_at = coalesce(merged_at, \(transaction.now))
            WHERE id = \(gone) OR merged_into = \(gone)
            """,
        ])
        try await mergeUsage(of: gone, into: survivor)
        if try await transaction.consents.current(of: survivor)?.isGiven == true {
            try await transaction.consents.answerCases(of: survivor, app: app)
        }
    }
}
