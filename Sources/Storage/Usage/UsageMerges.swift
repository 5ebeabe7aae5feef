import Billing
import Postgres

extension CustomerWrites {
    /// Adds up what two customers used who turn out to be one, window by window, and lets the survivor's keys answer for both.
    func mergeUsage(of gone: Customer.ID, into survivor: Customer.ID) async throws {
        try await transaction.pipeline([
            """
            INSERT INTO usage_counters AS c (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
            SELECT \(survivor), feature_id, \(UsageCounter.columns)
            FROM usage_counters
            WHERE customer_id = \(gone)
            ORDER BY feature_id
            ON CONFLICT (customer_id, feature_id) DO UPDATE
            SET day = greatest(c.day, excluded.day),
                day_used = CASE WHEN c.day < excluded.day THEN 0 ELSE c.day_used END
                    + CASE WHEN excluded.day < c.day THEN 0 ELSE excluded.day_used END,
                month = greatest(c.month, excluded.month),
                month_used = CASE WHEN c.month < excluded.month THEN 0 ELSE c.month_used END
                    + CASE WHEN excluded.month < c.month THEN 0 ELSE excluded.month_used END,
                lifetime_used = c.lifetime_used + excluded.lifetime_used
            """,
            """
            INSERT INTO usage_days AS d (customer_id, feature_id, day, used, offline)
            SELECT \(survivor), feature_id, day, used, offline
            FROM usage_days
            WHERE customer_id = \(gone)
            ON CONFLICT (customer_id, feature_id, day) DO UPDATE
            SET used = d.used + excluded.used, offline = d.offline + excluded.offline
            """,
            "UPDATE usage_reservations SET customer_id = \(survivor) WHERE customer_id = \(gone)",
            "DELETE FROM usage_days WHERE customer_id = \(gone)",
            "DELETE FROM usage_counters WHERE customer_id = \(gone)",
            """
            UPDATE idempotency_keys k
            SET owner_id = \(survivor)
            WHERE owner_id = \(gone)
                AND NOT EXISTS (SELECT FROM idempotency_keys x WHERE x.owner_id = \(survivor) AND x.key = k.key)
            """,
        ])
    }
}
