package import Billing
import Foundation
import Postgres

/// Access of a device to what an account has bought, where the app's setting shares it: a grant that follows the subscription and is
/// never the subscription itself.
extension PurchaseVerificationWrites {
    /// Gives a customer what somebody else's subscription gives, until it ends. Done again, it changes nothing.
    ///
    /// - Parameter subscription: locked, as the customer is.
    package func share(
        _ subscription: Subscription.ID,
        with customer: Customer.ID,
        by verification: PurchaseVerification.ID,
        of app: App.ID
    ) async throws {
        try await transaction.periods.noteAccess(of: [customer], app: app) {
            _ = try await transaction.query(
                """
                INSERT INTO grants
                    (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, verification_id, shared_subscription_id, version,
                     created_at, updated_at)
                SELECT \(transaction.newUUID()), \(app), \(customer), p.plan_id, 'provisional', \(transaction.now),
                    \(SharedAccess.end("s")), \(verification), s.id, 1, \(transaction.now), \(transaction.now)
                FROM subscriptions s
                JOIN products p ON p.id = s.product_id
                WHERE s.id = \(subscription) AND \(SharedAccess(now: transaction.now).runs("s"))
                    AND NOT EXISTS (
                        SELECT FROM grants g
                        WHERE g.shared_subscription_id = s.id AND g.customer_id = \(customer) AND g.ended_at IS NULL)
                """
            )
        }
    }

    /// Has what is shared follow its purchases: it ends and goes on with them, and ends where the app no longer shares.
    ///
    /// - Returns: how many changed, `limit` at most.
    package func followShares(limit: Int) async throws -> Int {
        let shared = SharedAccess(now: transaction.now)
        let rows = try await transaction.query(
            """
            SELECT g.id, g.customer_id, g.app_id, p.plan_id, \(SharedAccess.end("s")), \(shared.holds)
            \(SharedAccess.tables)
            WHERE g.ended_at IS NULL AND g.shared_subscription_id IS NOT NULL
                AND (NOT (\(shared.holds)) OR g.ends_at IS DISTINCT FROM \(SharedAccess.end("s")) OR g.plan_id <> p.plan_id)
            ORDER BY g.customer_id, g.id
            LIMIT \(limit)
            FOR NO KEY UPDATE OF g SKIP LOCKED
            """
        )
        for row in rows {
            let (grant, customer, app, plan, end, holds) = try row.decode(
                Grant.ID.self,
                Customer.ID.self,
                App.ID.self,
                Identifier<Plan>.self,
                Date?.self,
                Bool.self
            )
            try await transaction.periods.noteAccess(of: [customer], app: app) {
                _ = try await transaction.query(
                    """
                    UPDATE grants
                    SET plan_id = CASE WHEN \(holds) THEN \(plan) ELSE plan_id END,
                        ends_at = CASE WHEN \(holds) THEN \(end) ELSE ends_at END,
                        ended_at = CASE WHEN \(holds) THEN NULL ELSE \(transaction.now)::timestamptz END,
                        version = version + 1, updated_at = \(transaction.now)
                    WHERE id = \(grant)
                    """
                )
            }
        }
        return rows.count
    }
}

/// The conditions on rows under which a subscription is shared.
private struct SharedAccess {
    let now: Date

    static let tables: Query = """
        FROM grants g
        JOIN subscriptions s ON s.id = g.shared_subscription_id
        JOIN products p ON p.id = s.product_id
        JOIN apps a ON a.id = g.app_id
        """

    /// nil for what never ends.
    static func end(_ s: Query) -> Query { "greatest(\(s).period_ends_at, \(s).grace_period_ends_at)" }

    func runs(_ s: Query) -> Query {
        """
        (\(AccessNow(alias: "s", now: now).givesAccess)
            AND NOT EXISTS (SELECT FROM suspensions x WHERE x.subscription_id = \(s).id AND x.lifted_at IS NULL))
        """
    }

    /// A subscription that has not ended is still shared: a renewal may arrive a moment after the period's end.
    var holds: Query {
        """
        (a.transfer_behavior = 'share' AND s.customer_id <> g.customer_id
            AND coalesce(\(Self.end("s")) > g.starts_at, true)
            AND (\(runs("s")) OR s.state IN ('trial', 'active', 'grace_period', 'billing_retry')))
        """
    }
}
