package import Billing
import Foundation
import Postgres

extension PeriodWrites {
    /// Adds what staff gave an app's customers, as it stands now, to what they may use, in a recount (`Database.recount`).
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
            let (stored, catalog, overrides) = try await read(batch.map(\.0), app: app, locking: false)
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
        let next = try await transaction.query(
            """
            SELECT DISTINCT customer_id
            FROM subscriptions
            WHERE app_id = \(app)\(after)
            ORDER BY customer_id
            LIMIT \(Self.batch)
            """
        ).map { try $0.decode(0, as: Customer.ID.self) }
        for replay in try await replays(of: next, app: app).values { try await transaction.pipeline(replay.statements) }
        return next.last
    }

    /// Writes the stretches of access of a few customers, and the changes of what they may use, as their events tell them, like
    /// something that becomes known now. Locks them until the transaction ends.
    package func mend(_ customers: [Customer.ID], app: App.ID) async throws {
        let (stored, catalog, overrides) = try await read(customers, app: app)
        let replays = try await replays(of: customers, app: app)
        for customer in customers {
            var held = stored.filter { $0.customer == customer }
            let told = replays[customer]?.stored ?? []
            let given = overrides.of(customer)
            for subscription in Set((held + told).map(\.period.subscription)) {
                let changes = PeriodChanges(
                    from: held,
                    subscription: subscription,
                    to: told.filter { $0.period.subscription == subscription },
                    overrides: (given, given),
                    in: catalog
                )
                try await transaction.pipeline(changes.statements(at: transaction.now))
                held = held.filter { !changes.retired.contains($0.id) } + changes.added
            }
            try await rewriteChanges(of: customer, holding: held, given, app: app, in: catalog)
        }
    }

    private func rewriteChanges(
        of customer: Customer.ID,
        holding held: [StoredPeriod],
        _ overrides: EntitlementOverrides,
        app: App.ID,
        in catalog: PeriodCatalog
    ) async throws {
        let changes = AccessChanges(from: ([], EntitlementOverrides()), to: (held, overrides), app: app, in: catalog)
            .added
        var statements: [Query] = [
            """
            UPDATE access_changes
            SET retired_at = \(transaction.now)
            WHERE app_id = \(app) AND customer_id = \(customer) AND retired_at IS NULL
            """
        ]
        if !changes.isEmpty {
            statements.append(
                AccessChanges.Change.insertion(of: changes.map { ($0, transaction.now, nil) }, app: app)
            )
        }
        try await transaction.pipeline(statements)
    }

    private func replays(of customers: [Customer.ID], app: App.ID) async throws -> [Customer.ID: CustomerReplay] {
        guard !customers.isEmpty else { return [:] }
        let isTheirs: Query = "s.customer_id = ANY(\(customers.map(\.uuid)))"
        let results = try await transaction.pipeline(
            [
                """
                SELECT s.customer_id, s.id, e.event::text, e.recorded_at
                FROM subscriptions s
                JOIN subscription_events e ON e.subscription_id = s.id
                WHERE \(isTheirs)
                ORDER BY s.customer_id, e.recorded_at, e.id
                """,
                """
                SELECT o.customer_id, o.subscription_id, o.transaction_id, \(RefundRequest.columns)
                FROM orders o
                JOIN refund_requests r ON r.order_id = o.id
                WHERE r.status = 'processed' AND o.subscription_id IN (SELECT id FROM subscriptions s WHERE \(isTheirs))
                ORDER BY r.finished_at, r.id
                """,
            ] + PeriodCatalog.statements(app: app)
        )
        let catalog = try PeriodCatalog(app: app, results[2...])
        let told = try results[0].map(ToldFact.init(event:)) + results[1].compactMap(ToldFact.init(refund:))
        return Dictionary(grouping: told, by: \.customer).mapValues { facts in
            var replay = CustomerReplay(in: catalog, newID: transaction.newUUID)
            for fact in facts.sorted(by: { $0.recordedAt < $1.recordedAt }) { replay.take(fact) }
            return replay
        }
    }

    private static let batch = 200
}
