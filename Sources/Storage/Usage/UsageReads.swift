package import Billing
import Foundation
import Postgres

extension Reader {
    package var usage: UsageReads { UsageReads(reader: self) }
}

/// The reads of customers' usage.
package struct UsageReads: Sendable {
    let reader: Reader

    package func counters(of customer: Customer.ID) async throws -> CustomerCounters {
        var counters = CustomerCounters()
        for row in try await reader.query(CustomerCounters.query(of: customer, at: reader.now)) {
            var columns = try row.columns(13)
            try counters.add(&columns)
        }
        return counters
    }

    /// The increases of customers' limits by staff, including expired ones.
    package func increases(
        of customers: [Customer.ID]
    ) async throws -> [Customer.ID: [FeatureRecord.ID: LimitIncreases]] {
        let rows = try await reader.query(
            """
            SELECT customer_id, feature_id, \(UsageCounter.columns)
            FROM usage_counters
            WHERE customer_id = ANY(\(customers.map(\.uuid)))
                AND num_nonnulls(day_increase, month_increase, lifetime_increase) > 0
            """
        )
        var increases: [Customer.ID: [FeatureRecord.ID: LimitIncreases]] = [:]
        for row in rows {
            var columns = try row.columns(13)
            let (customer, feature): (Customer.ID, FeatureRecord.ID) = (try columns.next(), try columns.next())
            increases[customer, default: [:]][feature] = try UsageCounter(&columns).increases
        }
        return increases
    }

    /// True if an expired reservation of a customer still counts.
    package func hasExpiredReservations(of customer: Customer.ID) async throws -> Bool {
        try await !reader.query(
            """
            SELECT true
            FROM usage_reservations
            WHERE customer_id = \(customer) AND state = 'open' AND expires_at <= \(reader.now)
            LIMIT 1
            """
        ).isEmpty
    }

    /// nil where nothing was ever counted.
    package func counter(of customer: Customer.ID, _ feature: FeatureRecord.ID) async throws -> UsageCounter? {
        try await reader.query(UsageCounter.query(of: customer, feature)).first.map(UsageCounter.init(row:))
    }
}

/// A customer's usage of all features.
package struct CustomerCounters: Sendable {
    /// Without features that nothing was ever counted of.
    package var byFeature: [FeatureRecord.ID: UsageCounter] = [:]
    /// True if an expired reservation still counts.
    package var hasExpiredReservations = false

    static func query(of customer: Customer.ID, at now: Date) -> Query {
        """
        SELECT \(columns(at: now))
        FROM usage_counters u
        WHERE customer_id = \(customer)
        """
    }

    /// Of the customers of these sessions, with the session first.
    static func query(of sessions: [CustomerSession.ID], at now: Date) -> Query {
        """
        SELECT s.id, \(columns(at: now))
        FROM customer_sessions s
        JOIN customers k ON k.id = s.customer_id
        JOIN usage_counters u ON u.customer_id = coalesce(k.merged_into, k.id)
        WHERE s.id = ANY(\(sessions.map(\.uuid)))
        """
    }

    private static func columns(at now: Date) -> Query {
        """
        u.feature_id, \(UsageCounter.columns),
            EXISTS (
                SELECT
                FROM usage_reservations r
                WHERE r.customer_id = u.customer_id AND r.feature_id = u.feature_id
                    AND r.state = 'open' AND r.expires_at <= \(now))
        """
    }

    /// - Parameter rows: each with its session first.
    static func bySession(_ rows: Rows) throws -> [CustomerSession.ID: CustomerCounters] {
        var counters: [CustomerSession.ID: CustomerCounters] = [:]
        for row in rows {
            var columns = try row.columns(14)
            let session: CustomerSession.ID = try columns.next()
            try counters[session, default: CustomerCounters()].add(&columns)
        }
        return counters
    }

    fileprivate mutating func add(_ columns: inout RowColumns) throws {
        let feature: FeatureRecord.ID = try columns.next()
        byFeature[feature] = try UsageCounter(&columns)
        if try columns.next(Bool.self) { hasExpiredReservations = true }
    }
}

extension UsageCounter {
    static let columns: Query = """
        day, day_used, month, month_used, lifetime_used, day_increase, day_increase_until, month_increase, month_increase_until,
        lifetime_increase, lifetime_increase_until
        """

    static func query(of customer: Customer.ID, _ feature: FeatureRecord.ID) -> Query {
        """
        SELECT \(columns)
        FROM usage_counters
        WHERE customer_id = \(customer) AND feature_id = \(feature)
        """
    }

    init(row: Row) throws {
        var columns = try row.columns(11)
        try self.init(&columns)
    }

    init(_ columns: inout RowColumns) throws {
        self.init(
            day: try columns.next(),
            dayUsed: try columns.next(),
            month: try columns.next(),
            monthUsed: try columns.next(),
            lifetimeUsed: try columns.next(),
            increases: LimitIncreases(
                day: try LimitIncrease(&columns),
                month: try LimitIncrease(&columns),
                lifetime: try LimitIncrease(&columns)
            )
        )
    }
}

extension LimitIncrease {
    /// nil where the limit is not increased.
    fileprivate init?(_ columns: inout RowColumns) throws {
        let (amount, until): (Int64?, Date?) = (try columns.next(), try columns.next())
        guard let amount else { return nil }
        self.init(amount: amount, until: until)
    }
}
