package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var usageCounters: UsageCounterWrites { UsageCounterWrites(transaction: self) }
}

/// Staff's changes of customers' usage and limits.
package struct UsageCounterWrites: Sendable {
    let transaction: WriteTransaction

    /// A customer's counter, locked until the transaction ends: no count comes between. It is made where nothing was ever counted.
    ///
    /// - Throws: `CustomerIsMerged`.
    package func lock(
        of customer: Customer.ID,
        _ feature: FeatureRecord.ID,
        today: BusinessDay
    ) async throws -> UsageCounter {
        let month = ReportingPeriod(.month, containing: today).first
        let row = try await CustomerIsMerged.recognized {
            try await transaction.lock(
                """
                INSERT INTO usage_counters AS c (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
                VALUES (\(customer), \(feature), \(today), 0, \(month), 0, 0)
                ON CONFLICT (customer_id, feature_id) DO UPDATE SET lifetime_used = c.lifetime_used
                RETURNING \(UsageCounter.columns)
                """
            ).first
        }
        guard let row else { return UsageCounter(day: today, dayUsed: 0, month: month, monthUsed: 0, lifetimeUsed: 0) }
        return try UsageCounter(row: row)
    }

    /// Keeps what a locked counter's limit is increased by; nil for nothing any more. Whether the customer is near what is left is judged
    /// when it is asked.
    package func save(
        _ increase: LimitIncrease?,
        of window: UsageWindow,
        for customer: Customer.ID,
        _ feature: FeatureRecord.ID,
        today: BusinessDay
    ) async throws {
        let name = Query(unsafe: window.rawValue)
        try await transaction.query(
            """
            UPDATE usage_counters
            SET \(name)_increase = \(increase?.amount), \(name)_increase_until = \(increase?.until),
                near_limit_until = greatest(near_limit_until, \(window.lastDay(with: today)))
            WHERE customer_id = \(customer) AND feature_id = \(feature)
            """
        )
    }

    /// Begins the current window of a locked counter anew, with the shorter ones in it. What is reserved stays counted: it will be settled
    /// or given back. What was counted by day stays as it is.
    package func reset(
        _ window: UsageWindow,
        _ counter: UsageCounter,
        of customer: Customer.ID,
        _ feature: FeatureRecord.ID
    ) async throws {
        let (resetsMonth, resetsLifetime) = (window != .day, window == .lifetime)
        try await transaction.query(
            """
            UPDATE usage_counters c
            SET day_used = held.day_used,
                month_used = CASE WHEN \(resetsMonth) THEN held.month_used ELSE c.month_used END,
                lifetime_used = CASE WHEN \(resetsLifetime) THEN held.lifetime_used ELSE c.lifetime_used END
            FROM (
                SELECT coalesce(sum(quantity) FILTER (WHERE day = \(counter.day)), 0)::bigint AS day_used,
                    coalesce(sum(quantity) FILTER (WHERE date_trunc('month', day::timestamp)::date = \(counter.month)), 0)::bigint AS month_used,
                    coalesce(sum(quantity), 0)::bigint AS lifetime_used
                FROM usage_reservations
                WHERE customer_id = \(customer) AND feature_id = \(feature) AND state = 'open'
            ) AS held
            WHERE c.customer_id = \(customer) AND c.feature_id = \(feature)
            """
        )
    }
}
