package import Billing
import Foundation
import Postgres

extension PeriodWrites {
    /// Keeps everybody from writing stretches of access, and what else customers may use, until the transaction ends.
    package func lock() async throws {
        // Applying a notification writes them in this order.
        try await transaction.lock(
            "LOCK TABLE customers, subscriptions, grants, suspensions, access_periods IN SHARE ROW EXCLUSIVE MODE"
        )
    }

    /// Forgets an app's stretches of access, their changes, and what its customers add to the metrics.
    package func clear(_ app: App.ID) async throws {
        try await transaction.pipeline([
            "DELETE FROM access_periods WHERE app_id = \(app)", "DELETE FROM access_changes WHERE app_id = \(app)",
            "DELETE FROM subscriber_entries WHERE app_id = \(app)",
        ])
    }

    /// Adds what staff gave an app's customers, as it stands now, to what they may use.
    package func addGrants(_ app: App.ID) async throws {
        let customers = try await transaction.query(
            """
            SELECT customer_id, max(updated_at)
            FROM (
                SELECT customer_id, updated_at FROM grants WHERE app_id = \(app)
                UNION ALL
                SELECT s.customer_id, coalesce(x.lifted_at, x.suspended_at)
                FROM suspensions x
                JOIN subscriptions s ON s.id = x.subscription_id
                WHERE s.app_id = \(app)
            ) held
            GROUP BY customer_id
            ORDER BY customer_id
            """
        ).map { try $0.decode(Customer.ID.self, Date.self) }
        for start in stride(from: 0, to: customers.count, by: Self.batch) {
            let batch = customers[start..<min(start + Self.batch, customers.count)]
            let (stored, catalog, overrides) = try await read(batch.map(\.0), app: app)
            let periods = Dictionary(grouping: stored, by: \.customer)
            for (customer, moment) in batch {
                let held = periods[customer, default: []]
                let changes = AccessChanges(
                    from: (held, EntitlementOverrides()),
                    to: (held, overrides.of(customer)),
                    app: app,
                    in: catalog
                )
                var statements = changes.statements(at: moment, in: catalog.zone)
                if !changes.entries.isEmpty {
                    statements.append(changes.entries.insertion(app: app, zone: catalog.zone, at: moment))
                }
                try await transaction.pipeline(statements)
            }
        }
    }

    /// Replays the subscriptions of the next few customers, event by event and refund by refund in the order in which we
    /// heard of them, and writes what each changed as it was written then. A subscription that was moved is replayed as if it
    /// had always been its customer's.
    ///
    /// - Parameter place: the last customer of the call before; nil to begin.
    /// - Returns: the last customer of this one; nil when there is nobody left.
    package func addNext(_ app: App.ID, after place: Customer.ID?) async throws -> Customer.ID? {
        let after: Query = place.map { " AND customer_id > \($0)" } ?? ""
        let results = try await transaction.pipeline(
            [
                """
                SELECT s.customer_id, s.id, e.event::text, e.recorded_at
                FROM subscriptions s
                JOIN subscription_events e ON e.subscription_id = s.id
                WHERE s.customer_id IN (
                    SELECT DISTINCT customer_id
                    FROM subscriptions
                    WHERE app_id = \(app)\(after)
                    ORDER BY customer_id
                    LIMIT \(Self.batch))
                ORDER BY s.customer_id, e.recorded_at, e.id
                """,
                """
                SELECT o.customer_id, o.subscription_id, o.transaction_id, \(RefundRequest.columns)
                FROM orders o
                JOIN refund_requests r ON r.order_id = o.id
                WHERE r.status = 'processed' AND o.subscription_id IN (
                    SELECT id
                    FROM subscriptions
                    WHERE customer_id IN (
                        SELECT DISTINCT customer_id
                        FROM subscriptions
                        WHERE app_id = \(app)\(after)
                        ORDER BY customer_id
                        LIMIT \(Self.batch)))
                ORDER BY r.finished_at, r.id
                """,
                """
                SELECT max(customer_id::text)
                FROM (
                    SELECT DISTINCT customer_id
                    FROM subscriptions
                    WHERE app_id = \(app)\(after)
                    ORDER BY customer_id
                    LIMIT \(Self.batch)
                ) next
                """,
            ] + PeriodCatalog.statements(app: app)
        )
        guard let last = try results[2].first?.decode(0, as: String?.self).flatMap(Customer.ID.init) else { return nil }
        let catalog = try PeriodCatalog(app: app, results[3...])
        let told = try results[0].map(ToldFact.init(event:)) + results[1].compactMap(ToldFact.init(refund:))
        for facts in Dictionary(grouping: told, by: \.customer).values {
            var replay = CustomerReplay(in: catalog, newID: transaction.newUUID)
            for fact in facts.sorted(by: { $0.recordedAt < $1.recordedAt }) { replay.take(fact) }
            try await transaction.pipeline(replay.statements)
        }
        return last
    }

    private static let batch = 200
}
