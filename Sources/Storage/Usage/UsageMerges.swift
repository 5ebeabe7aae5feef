import Billing
import Postgres

/// The customer to count for was merged into another since they were looked up.
package struct CustomerIsMerged: Error {
    /// Runs a count and recognizes this error among the database's: the schema rejects the count by that constraint.
    static func recognized<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where error.constraint == "usage_is_of_who_is_nobody_else" {
            throw CustomerIsMerged()
        }
    }
}

extension CustomerWrites {
    /// Adds up what two customers used who turn out to be one, window by window, and lets the survivor's keys answer for both. Of two
    /// increases of one limit the survivor's holds. What one owes the credits of the other pay.
    func mergeUsage(of gone: Customer.ID, into survivor: Customer.ID) async throws {
        try await transaction.lock([
            // Counts under way are waited for, and then moved, too.
            """
            SELECT FROM usage_reservations WHERE customer_id = \(gone) AND state = 'open' ORDER BY id FOR UPDATE
            """,
            """
            SELECT FROM usage_counters
            WHERE customer_id IN (\(gone), \(survivor))
            ORDER BY customer_id, feature_id
            FOR UPDATE
            """,
            """
            INSERT INTO usage_counters AS c (customer_id, feature_id, near_limit_until, \(UsageCounter.columns))
            SELECT \(survivor), feature_id, near_limit_until, \(UsageCounter.columns)
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
                lifetime_used = c.lifetime_used + excluded.lifetime_used,
                \(increase(.day)),
                \(increase(.month)),
                \(increase(.lifetime)),
                -- Together they may be near a limit of which each was far.
                near_limit_until = \(BusinessDay.never)
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
            "UPDATE credit_buckets SET customer_id = \(survivor) WHERE customer_id = \(gone)",
            "DELETE FROM usage_days WHERE customer_id = \(gone)",
            "DELETE FROM usage_counters WHERE customer_id = \(gone)",
            """
            UPDATE idempotency_keys k
            SET owner_id = \(survivor)
            WHERE owner_id = \(gone)
                AND NOT EXISTS (SELECT FROM idempotency_keys x WHERE x.owner_id = \(survivor) AND x.key = k.key)
            """,
        ])
        try await transaction.credits.settle(of: survivor)
    }

    /// An increase whose time is over stands in nobody's way.
    private func increase(_ window: UsageWindow) -> Query {
        let name = Query(unsafe: window.rawValue)
        let isOver: Query = "c.\(name)_increase IS NULL OR c.\(name)_increase_until <= \(transaction.now)"
        return """
            \(name)_increase = CASE WHEN \(isOver) THEN excluded.\(name)_increase ELSE c.\(name)_increase END,
            \(name)_increase_until = CASE WHEN \(isOver) THEN excluded.\(name)_increase_until ELSE c.\(name)_increase_until END
            """
    }
}
