package import Billing
package import Foundation
import Postgres

/// Access that a proof of purchase gives until its store confirms it.
extension PurchaseVerificationWrites {
    /// Gives a customer the access that unconfirmed purchases promise, once in thirty days for each plan: sending one receipt after
    /// another while the store is away gives no more.
    ///
    /// - Parameters:
    ///   - environment: the environment of the purchases; sandbox purchases give the same access as once confirmed.
    ///   - end: the latest end of the access.
    /// - Returns: the end of the last of it; nil where nothing was given.
    package func giveProvisionalAccess(
        to customer: Customer.ID,
        for purchases: [StoreTransaction],
        in environment: StoreEnvironment,
        until end: Date,
        by verification: PurchaseVerification.ID,
        of app: App.ID,
        at store: Store
    ) async throws -> Date? {
        let running = purchases.filter { $0.revocation == nil && ($0.expiresAt ?? .distantFuture) > transaction.now }
        guard !running.isEmpty else { return nil }
        return try await transaction.periods.noteAccess(of: [customer], app: app) {
            try await transaction.query(
                """
                INSERT INTO grants
                    (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, verification_id, version, created_at, updated_at)
                SELECT gen_random_uuid(), \(app), \(customer), p.plan_id, 'provisional', \(transaction.now),
                    max(least(coalesce(r.ends_at, 'infinity'), \(end))), \(verification), 1, \(transaction.now), \(transaction.now)
                FROM unnest(\(running.map(\.productID)), \(running.map { $0.expiresAt ?? .distantFuture.stored }))
                    AS r(product, ends_at)
                JOIN products p ON p.app_id = \(app) AND p.store = \(store) AND p.store_product_id = r.product
                WHERE NOT \(SandboxPurchases.areWithheld(in: "\(environment)::text", from: "\(customer)")) AND NOT EXISTS (
                    SELECT FROM grants g
                    WHERE g.customer_id = \(customer) AND g.plan_id = p.plan_id AND g.kind = 'provisional'
                        AND g.created_at > \(transaction.now)::timestamptz - interval '30 days')
                GROUP BY p.plan_id
                """
            )
            return try await transaction.query(
                "SELECT max(ends_at) FROM grants WHERE verification_id = \(verification) AND ended_at IS NULL"
            ).first?.decode(0, as: Date?.self)
        }
    }

    /// Ends what a verification gave for a while: the store has answered.
    package func endProvisionalAccess(
        of customer: Customer.ID,
        by verification: PurchaseVerification.ID,
        of app: App.ID
    ) async throws {
        let running: Query =
            """
            verification_id = \(verification) AND shared_subscription_id IS NULL AND ended_at IS NULL AND ends_at > \(transaction.now)
            """
        guard try await !transaction.query("SELECT FROM grants WHERE \(running)").isEmpty else { return }
        try await transaction.periods.noteAccess(of: [customer], app: app) {
            _ = try await transaction.query(
                """
                UPDATE grants
                SET ended_at = \(transaction.now), version = version + 1, updated_at = \(transaction.now)
                WHERE \(running)
                """
            )
        }
    }
}
