package import Billing
package import Foundation
package import Postgres

extension Database {
    /// Inserts notifications with one statement. Those that are there already are left as they are.
    ///
    /// - Parameters:
    ///   - settings: statements to run before it, in the same transaction and round trip.
    ///   - timeout: the time that the caller waits; nil for the pool's.
    /// - Returns: the keys of the rows that are new.
    /// - Throws: `PostgresError`; then none was stored, or, after the timeout, nobody knows.
    package func insert(
        _ notifications: [ReceivedNotification],
        after settings: [Query] = [],
        timeout: Duration? = nil
    ) async throws -> Set<Identifier<ReceivedNotification>> {
        let events = notifications.map { EventJSON.text(of: $0.content.events.first) }
        let others = notifications.map { EventJSON.text(of: Array($0.content.events.dropFirst())) }
        let rows = try await writeAlone(
            """
            INSERT INTO store_notifications
                (id, app_id, store, environment, notification_uuid, type, subtype, original_transaction_id,
                 signed_at, received_at, signed_payload, event, other_events, needs_resolving, state, scheduled_at, last_error,
                 finalized_at, reconciliation_id)
            SELECT n.id, n.app_id, n.store, n.environment, n.notification_uuid, n.type, nullif(n.subtype, ''),
                nullif(n.original_id, ''), n.signed_at, n.received_at, n.signed_payload, nullif(n.event, '')::jsonb,
                nullif(n.other_events, '')::jsonb, n.is_unresolved,
                CASE WHEN n.problem <> '' THEN 'failed' WHEN n.event = '' AND NOT n.is_unresolved THEN 'ignored'
                    ELSE 'received' END,
                now(), nullif(n.problem, ''), CASE WHEN n.event = '' AND NOT n.is_unresolved THEN n.received_at END,
                nullif(n.reconciliation, '')::uuid
            FROM unnest(
                \(notifications.map(\.id.uuid)), \(notifications.map(\.app.uuid)), \(notifications.map(\.store.rawValue)),
                \(notifications.map(\.environment.rawValue)), \(notifications.map(\.notificationUUID)),
                \(notifications.map(\.type)), \(notifications.map { $0.subtype ?? "" }),
                \(notifications.map { $0.content.events.first?.transaction.originalID ?? "" }), \(notifications.map(\.signedAt)),
                \(notifications.map(\.receivedAt)), \(notifications.map(\.signedPayload)), \(events), \(others),
                \(notifications.map { $0.content.problem ?? "" }), \(notifications.map(\.content.isUnresolved)),
                \(notifications.map { $0.reconciliation?.description ?? "" })
            ) AS n(id, app_id, store, environment, notification_uuid, type, subtype, original_id, signed_at,
                received_at, signed_payload, event, other_events, problem, is_unresolved, reconciliation)
            ON CONFLICT DO NOTHING
            RETURNING id
            """,
            after: settings,
            timeout: timeout
        )
        return Set(try rows.map { try $0.decode(0, as: Identifier<ReceivedNotification>.self) })
    }

    /// Leases up to `limit` notifications that are due, oldest first, for `lease` from now by the database's clock. Apps share the limit,
    /// so that what one has to catch up on holds up no other.
    ///
    /// One whose event cannot be read any more is parked, so that it does not hold up the others.
    package func leaseNotifications(
        limit: Int,
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        try await leaseNotifications(
            QueueTable.notifications.dueByApp(limit),
            after: [QueueTable.readsByIndex],
            by: worker,
            for: lease
        )
    }

    /// Leases all that is due of up to so many subscriptions, for a history that came in whole.
    ///
    /// One whose event cannot be read any more is parked.
    package func leaseHistory(
        subscriptions: Int,
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        try await leaseNotifications(
            """
            due AS (
                SELECT id
                FROM store_notifications
                WHERE state = 'received' AND scheduled_at <= now() AND coalesce(original_transaction_id, '') IN (
                    SELECT coalesce(original_transaction_id, '')
                    FROM store_notifications
                    WHERE state = 'received' AND scheduled_at <= now()
                    GROUP BY 1
                    ORDER BY 1
                    LIMIT \(subscriptions))
                ORDER BY scheduled_at, id
                LIMIT 100000
                FOR UPDATE SKIP LOCKED
            )
            """,
            by: worker,
            for: lease
        )
    }

    private func leaseNotifications(
        _ due: Query,
        after settings: [Query] = [],
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        let table = QueueTable.notifications
        let rows = try await writeAlone(
            table.leasing(
                due,
                by: worker,
                for: lease,
                returning: """
                    q.app_id, q.store, q.event::text,
                    ARRAY(SELECT e.event::text FROM jsonb_array_elements(q.other_events) WITH ORDINALITY AS e(event, place)
                        ORDER BY e.place),
                    q.needs_resolving, q.signed_at, q.received_at
                    """
            ),
            after: settings
        )
        var leased: [LeasedNotification] = []
        for row in rows {
            var columns = try row.columns(Lease.columnCount + 7)
            let lease = try Lease(&columns, worker: worker, startedAt: now)
            let (app, store): (App.ID, Store) = (try columns.next(), try columns.next())
            let event = try columns.next(String?.self).flatMap { try? EventJSON.event(from: $0) }
            let others = try? columns.next([String].self).map(EventJSON.event(from:))
            let needsResolving: Bool = try columns.next()
            guard let others, event != nil || needsResolving else {
                try await queue(table).discard(lease, because: "Its event cannot be read.")
                continue
            }
            leased.append(
                LeasedNotification(
                    lease: lease,
                    app: app,
                    store: store,
                    event: event,
                    otherEvents: others,
                    signedAt: try columns.next(),
                    receivedAt: try columns.next()
                )
            )
        }
        return leased
    }

    /// True if any notification waits or is being processed.
    package func hasUnfinishedNotifications() async throws -> Bool {
        let rows = try await writeAlone(
            "SELECT EXISTS (SELECT FROM store_notifications WHERE state IN ('received', 'processing'))"
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// The same of one app.
    package func hasUnfinishedNotifications(of app: App.ID) async throws -> Bool {
        let rows = try await writeAlone(
            """
            SELECT EXISTS (
                SELECT FROM store_notifications
                WHERE app_id = \(app) AND state IN ('received', 'processing') AND last_error IS NULL)
            """
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// True if a notification is in an app's inbox, by the store's own id.
    package func hasNotification(_ uuid: String, of app: App.ID, at store: Store) async throws -> Bool {
        let rows = try await writeAlone(
            """
            SELECT EXISTS (
                SELECT FROM store_notifications WHERE app_id = \(app) AND store = \(store) AND notification_uuid = \(uuid))
            """
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// The number of notifications in each state, for the operator.
    package func notificationCounts() async throws -> [String: Int] {
        try await writeAlone("SELECT state, count(*) FROM store_notifications GROUP BY state")
            .reduce(into: [:]) { counts, row in
                let (state, count) = try row.decode(String.self, Int.self)
                counts[state] = count
            }
    }
}
