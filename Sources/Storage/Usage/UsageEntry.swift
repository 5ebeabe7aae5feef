package import Billing
package import Foundation
import Postgres

/// Something of a feature that a customer used, or is about to use.
package struct UsageEntry: Sendable, Hashable {
    package var customer: Customer.ID
    package var feature: FeatureRecord.ID
    /// At least 1.
    package var quantity: Int64
    package var now: Date
    /// The business day that it is now.
    package var today: BusinessDay
    /// The business day on which it happened, for what was counted offline: no limit holds it. nil for now.
    package var offlineDay: BusinessDay?
    /// The plan's; what staff gave beyond them stands with the counter.
    package var limits: FeatureLimits

    package init(
        customer: Customer.ID,
        feature: FeatureRecord.ID,
        quantity: Int64,
        now: Date,
        today: BusinessDay,
        offlineDay: BusinessDay?,
        limits: FeatureLimits
    ) {
        (self.customer, self.feature, self.quantity) = (customer, feature, quantity)
        (self.now, self.today) = (now, today)
        (self.offlineDay, self.limits) = (offlineDay, limits)
    }
}

extension Database {
    /// Counts each entry as if it were alone, and commits them together, so that many wait for the disk once.
    ///
    /// - Parameter waited: for how long who asks has waited already.
    /// - Returns: for each entry, in order, the counter with it, nil where a window has no room for all of it. nil where one of them failed
    ///   or its counter stayed locked: then nothing of any was counted, and each is to be counted by itself.
    /// - Throws: the database's errors where it is away; whether something was counted is not known then.
    package func count(_ entries: [UsageEntry], waited: Duration = .zero) async throws -> [UsageCounter?]? {
        // Counters are locked in one order, as by everybody who locks several.
        let order = entries.enumerated().sorted { $0.element.place < $1.element.place }
        let results: [Rows]
        do {
            results = try await writing.pipeline(
                ["SELECT set_config('lock_timeout', '100ms', true)"] + order.map(\.element.statement),
                timeout: doorTimeout - waited
            )
        } catch let error as PostgresError where error.undoesAll {
            return nil
        }
        var counters: [UsageCounter?] = entries.map { _ in nil }
        for (entry, rows) in zip(order, results.dropFirst()) {
            counters[entry.offset] = try rows.first.map(UsageCounter.init(row:))  // safe: a place of the entries
        }
        return counters
    }

    /// Counts it, unless a window has no room for all of it. Of many at once each sees what those before it counted.
    ///
    /// - Returns: the counter with it; nil where nothing was counted.
    /// - Throws: `CustomerIsMerged`.
    package func count(_ entry: UsageEntry) async throws -> UsageCounter? {
        try await CustomerIsMerged.recognized {
            try await writeAlone(entry.statement).first.map(UsageCounter.init(row:))
        }
    }
}

extension Database {
    /// Notes that a limit refused a count: the customer may be near it, whatever it was when something was last counted.
    package func noteLimitReached(
        _ window: UsageWindow,
        by customer: Customer.ID,
        _ feature: FeatureRecord.ID,
        today: BusinessDay
    ) async throws {
        let last = window.lastDay(with: today)
        _ = try await writeAlone(
            """
            UPDATE usage_counters
            SET near_limit_until = \(last)
            WHERE customer_id = \(customer) AND feature_id = \(feature)
                AND (near_limit_until IS NULL OR near_limit_until < \(last))
            """
        )
    }
}

extension WriteTransaction {
    /// The same; the counter is locked until the transaction ends.
    package func count(_ entry: UsageEntry) async throws -> UsageCounter? {
        try await CustomerIsMerged.recognized {
            try await lock(entry.statement).first.map(UsageCounter.init(row:))
        }
    }

    /// As it is committed, or was changed here; nil where nothing was ever counted.
    package func usageCounter(of customer: Customer.ID, _ feature: FeatureRecord.ID) async throws -> UsageCounter? {
        try await query(UsageCounter.query(of: customer, feature)).first.map(UsageCounter.init(row:))
    }
}

extension PostgresError {
    /// True if the server reports that a statement failed, so that nothing of its transaction stays. Not so where the server ends the
    /// connection meanwhile: then the transaction may have been committed.
    fileprivate var undoesAll: Bool {
        guard case .server(let state) = code else { return false }
        return ![.connectionException, .operatorIntervention, .insufficientResources].contains(state.sqlClass)
    }
}

extension UsageEntry {
    /// The position of its counter in the order of the locks.
    fileprivate var place: (String, String) { (customer.description, feature.description) }

    /// One statement, so that nothing comes between the check and the count: the counter's row is locked, windows that are over begin
    /// anew, and it is changed only where every limit, with staff's increase, has room. The first count of all inserts the row, or
    /// waits for another transaction that does; where a limit is increased, the row is there.
    fileprivate var statement: Query {
        let month = ReportingPeriod(.month, containing: today).first
        let (inDay, inMonth): (Int64, Int64) = (isOf(.day) ? quantity : 0, isOf(.month) ? quantity : 0)
        let most = min(limit(.day), limit(.month), limit(.lifetime))
        let isOffline = offlineDay != nil
        let (online, offline): (Int64, Int64) = isOffline ? (0, quantity) : (quantity, 0)
        return """
            WITH counted AS (
                INSERT INTO usage_counters AS c
                    (customer_id, feature_id, day, day_used, month, month_used, lifetime_used, near_limit_until)
                SELECT \(customer), \(feature), \(today), \(inDay), \(month), \(inMonth), \(quantity), \(nearFromTheFirst)
                WHERE \(quantity) <= \(most)
                    OR EXISTS (SELECT FROM usage_counters WHERE customer_id = \(customer) AND feature_id = \(feature))
                ON CONFLICT (customer_id, feature_id) DO UPDATE
                SET day = greatest(c.day, excluded.day),
                    day_used = CASE WHEN c.day < excluded.day THEN 0 ELSE c.day_used END
                        + CASE WHEN \(isOffline) AND excluded.day < c.day THEN 0 ELSE excluded.day_used END,
                    month = greatest(c.month, excluded.month),
                    month_used = CASE WHEN c.month < excluded.month THEN 0 ELSE c.month_used END
                        + CASE WHEN \(isOffline) AND excluded.month < c.month THEN 0 ELSE excluded.month_used END,
                    lifetime_used = c.lifetime_used + excluded.lifetime_used,
                    near_limit_until = \(nearLimitUntil)
                WHERE CASE WHEN c.day < excluded.day THEN 0 ELSE c.day_used END - \(increase(.day))
                        <= \(limit(.day)) - excluded.day_used
                    AND CASE WHEN c.month < excluded.month THEN 0 ELSE c.month_used END - \(increase(.month))
                        <= \(limit(.month)) - excluded.month_used
                    AND c.lifetime_used - \(increase(.lifetime)) <= \(limit(.lifetime)) - excluded.lifetime_used
                RETURNING \(UsageCounter.columns)
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

    /// The last day of the longest window of which 80 % is used with it; NULL where none is.
    private var nearLimitUntil: Query {
        """
        greatest(
            CASE WHEN CASE WHEN c.day < excluded.day THEN 0 ELSE c.day_used END
                    + CASE WHEN \(offlineDay != nil) AND excluded.day < c.day THEN 0 ELSE excluded.day_used END
                >= \(near(.day)) THEN greatest(c.day, excluded.day) END,
            CASE WHEN CASE WHEN c.month < excluded.month THEN 0 ELSE c.month_used END
                    + CASE WHEN \(offlineDay != nil) AND excluded.month < c.month THEN 0 ELSE excluded.month_used END
                >= \(near(.month)) THEN (greatest(c.month, excluded.month) + interval '1 month -1 day')::date END,
            CASE WHEN c.lifetime_used + excluded.lifetime_used >= \(near(.lifetime)) THEN \(BusinessDay.never) END)
        """
    }

    /// The same of what nothing was ever counted of.
    private var nearFromTheFirst: BusinessDay? {
        UsageWindow.allCases.filter { window in
            isOf(window)
                && WindowUsage(window: window, used: quantity, limit: limits[window], resetsAt: nil).isNearLimit
        }.map { $0.lastDay(with: today) }.max()
    }

    /// 80 % of what a window's limit is with its increase; NULL without one, also where no limit holds what is counted.
    private func near(_ window: UsageWindow) -> Query {
        let limit: Query = "\(limits[window])::bigint + \(increase(window))"
        return "(\(limit)) - (\(limit)) / 5"
    }

    /// The part of an increase that is in force. It is subtracted from the usage, because nothing can be added to the greatest limit.
    private func increase(_ window: UsageWindow) -> Query {
        let name = Query(unsafe: window.rawValue)
        return "CASE WHEN c.\(name)_increase_until <= \(now) THEN 0 ELSE coalesce(c.\(name)_increase, 0) END"
    }

    /// True if it lies in the same window as today.
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
