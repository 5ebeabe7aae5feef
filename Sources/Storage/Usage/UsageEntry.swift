package import Billing
import Postgres

/// Something of a feature that a customer used, or is about to use.
package struct UsageEntry: Sendable, Hashable {
    package var customer: Customer.ID
    package var feature: CountedFeature.ID
    /// At least 1.
    package var quantity: Int64
    /// The business day that it is now.
    package var today: BusinessDay
    /// The business day on which it happened, for what was counted offline: no limit holds it. nil for now.
    package var offlineDay: BusinessDay?
    package var limits: FeatureLimits

    package init(
        customer: Customer.ID,
        feature: CountedFeature.ID,
        quantity: Int64,
        today: BusinessDay,
        offlineDay: BusinessDay?,
        limits: FeatureLimits
    ) {
        (self.customer, self.feature, self.quantity) = (customer, feature, quantity)
        (self.today, self.offlineDay, self.limits) = (today, offlineDay, limits)
    }
}

extension Database {
    /// Counts it, unless a window has no room for all of it. Of many at once each sees what those before it counted.
    ///
    /// - Returns: the counter with it; nil where nothing was counted.
    package func count(_ entry: UsageEntry) async throws -> UsageCounter? {
        try await writeAlone(entry.statement).first.map(UsageCounter.init(row:))
    }
}

extension WriteTransaction {
    /// The same; the counter is locked until the transaction ends.
    package func count(_ entry: UsageEntry) async throws -> UsageCounter? {
        try await query(entry.statement).first.map(UsageCounter.init(row:))
    }

    /// As it is committed, or was changed here; nil where nothing was ever counted.
    package func usageCounter(of customer: Customer.ID, _ feature: CountedFeature.ID) async throws -> UsageCounter? {
        try await query(UsageCounter.query(of: customer, feature)).first.map(UsageCounter.init(row:))
    }
}

extension UsageEntry {
    /// One statement, so that nothing comes between the check and the count: the counter's row is locked, windows that are over begin
    /// anew, and it is changed only where every limit has room. The first count of all inserts the row, or waits for who does.
    fileprivate var statement: Query {
        let month = ReportingPeriod(.month, containing: today).first
        let (inDay, inMonth): (Int64, Int64) = (isOf(.day) ? quantity : 0, isOf(.month) ? quantity : 0)
        let most = min(limit(.day), limit(.month), limit(.lifetime))
        let isOffline = offlineDay != nil
        let (online, offline): (Int64, Int64) = isOffline ? (0, quantity) : (quantity, 0)
        return """
            WITH counted AS (
                INSERT INTO usage_counters AS c (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
                SELECT \(customer), \(feature), \(today), \(inDay), \(month), \(inMonth), \(quantity)
                WHERE \(quantity) <= \(most)
                ON CONFLICT (customer_id, feature_id) DO UPDATE
                SET day = greatest(c.day, excluded.day),
                    day_used = CASE WHEN c.day < excluded.day THEN 0 ELSE c.day_used END
                        + CASE WHEN \(isOffline) AND excluded.day < c.day THEN 0 ELSE excluded.day_used END,
                    month = greatest(c.month, excluded.month),
                    month_used = CASE WHEN c.month < excluded.month THEN 0 ELSE c.month_used END
                        + CASE WHEN \(isOffline) AND excluded.month < c.month THEN 0 ELSE excluded.month_used END,
                    lifetime_used = c.lifetime_used + excluded.lifetime_used
                WHERE CASE WHEN c.day < excluded.day THEN 0 ELSE c.day_used END <= \(limit(.day)) - excluded.day_used
                    AND CASE WHEN c.month < excluded.month THEN 0 ELSE c.month_used END
                        <= \(limit(.month)) - excluded.month_used
                    AND c.lifetime_used <= \(limit(.lifetime)) - excluded.lifetime_used
                RETURNING day, day_used, month, month_used, lifetime_used
            ), noted AS (
                INSERT INTO usage_days AS d (customer_id, feature_id, day, used, offline)
                SELECT \(customer), \(feature), coalesce(\(offlineDay), day), \(online), \(offline)
                FROM counted
                ON CONFLICT (customer_id, feature_id, day) DO UPDATE
                SET used = d.used + excluded.used, offline = d.offline + excluded.offline
            )
            SELECT \(UsageCounter.columns) FROM counted
            """
    }

    /// Whether it lies in the window that today does.
    private func isOf(_ window: UsageWindow) -> Bool {
        guard let offlineDay else { return true }
        switch window {
        case .day: return offlineDay == today
        case .month:
            return ReportingPeriod(.month, containing: offlineDay) == ReportingPeriod(.month, containing: today)
        case .lifetime: return true
        }
    }

    /// The most that a window holds.
    private func limit(_ window: UsageWindow) -> Int64 {
        guard offlineDay == nil else { return .max }
        return limits[window] ?? .max
    }
}
