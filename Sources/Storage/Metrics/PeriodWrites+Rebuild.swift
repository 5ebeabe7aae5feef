package import Billing
import Foundation
import Postgres

extension PeriodWrites {
    /// Keeps everybody from writing stretches of access, and what else customers may use, until the transaction ends.
    package func lock() async throws {
        // Applying a notification writes them in this order.
        try await transaction.query(
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
                let own = EntitlementOverrides(
                    grants: overrides.grants[customer, default: []],
                    of: customer,
                    overrides.suspensions
                )
                let changes = AccessChanges(
                    from: (held, EntitlementOverrides()),
                    to: (held, own),
                    app: app,
                    zone: catalog.zone
                )
                var statements = changes.statements(at: moment, in: catalog.zone)
                if !changes.entries.isEmpty {
                    statements.append(changes.entries.insertion(app: app, zone: catalog.zone, at: moment))
                }
                try await transaction.pipeline(statements)
            }
        }
    }

    /// Replays the subscriptions of the next few customers, event by event in the order in which we heard of
    /// them, and writes what each changed as it was written then. A subscription that was moved is replayed as if it
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
        guard let last = try results[1].first?.decode(0, as: String?.self).flatMap(Customer.ID.init) else { return nil }
        let catalog = try PeriodCatalog(app: app, results[2...])
        let recorded = try results[0].map(RecordedEvent.init(row:))
        for events in Dictionary(grouping: recorded, by: \.customer).values { try await replay(events, catalog) }
        return last
    }

    private static let batch = 200

    private struct RecordedEvent {
        var customer: Customer.ID
        var subscription: Subscription.ID
        var event: StoreEvent
        var recordedAt: Date

        init(row: Row) throws {
            var columns = try row.columns(4)
            customer = try columns.next()
            subscription = try columns.next()
            event = try EventJSON.event(from: columns.next())
            recordedAt = try columns.next()
        }
    }

    /// - Parameter events: of one customer, in the order in which they were recorded.
    private func replay(_ events: [RecordedEvent], _ catalog: PeriodCatalog) async throws {
        var histories: [Subscription.ID: SubscriptionHistory] = [:]
        var stored: [StoredPeriod] = []
        var failures: [Subscription.ID: [MetricsEntry]] = [:]
        var statements: [Query] = []
        for recorded in events {
            histories[recorded.subscription, default: SubscriptionHistory([])].insert(recorded.event)
            guard let history = histories[recorded.subscription], let first = history.events.first else { continue }
            let outcome = history.replay()
            let next = catalog.stored(
                outcome.periods,
                of: recorded.subscription,
                at: first.store,
                in: first.environment,
                for: recorded.customer,
                newID: transaction.newUUID
            )
            let failed =
                first.environment == .production
                ? catalog.entries(of: outcome.failedCharges(of: history.events), at: first.store) : []
            let changes = PeriodChanges(
                from: stored,
                subscription: recorded.subscription,
                to: next,
                overrides: EntitlementOverrides(),
                failures: (failures[recorded.subscription] ?? [], failed),
                app: catalog.app,
                zone: catalog.zone
            )
            failures[recorded.subscription] = failed
            statements += changes.statements(at: recorded.recordedAt)
            stored = stored.filter { !changes.retired.contains($0.id) } + changes.added
        }
        try await transaction.pipeline(statements)
    }
}
