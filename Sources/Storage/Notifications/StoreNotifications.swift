package import Billing
package import Foundation
package import Postgres

extension Database {
    /// Inserts notifications with one statement. Those that are there already are left as they are.
    ///
    /// - Parameters:
    ///   - settings: run before it, in the same transaction and round trip.
    ///   - timeout: how long we wait; nil for what the pool allows.
    /// - Returns: the keys of the rows that are new.
    /// - Throws: `PostgresError`; then none was stored, or, after the timeout, nobody knows.
    package func insert(
        _ notifications: [ReceivedNotification],
        after settings: [Query] = [],
        timeout: Duration? = nil
    ) async throws -> Set<Identifier<ReceivedNotification>> {
        let events = notifications.map { EventJSON.text(of: $0.content.event) }
        let rows = try await writeAlone(
            """
            INSERT INTO store_notifications
                (id, app_id, store, environment, notification_uuid, type, subtype, original_transaction_id,
                 signed_at, received_at, signed_payload, event, needs_resolving, state, next_attempt_at, last_error,
                 finished_at)
            SELECT n.id, n.app_id, n.store, n.environment, n.notification_uuid, n.type, nullif(n.subtype, ''),
                nullif(n.original_id, ''), n.signed_at, n.received_at, n.signed_payload, nullif(n.event, '')::jsonb,
                n.is_unresolved,
                CASE WHEN n.problem <> '' THEN 'failed' WHEN n.event = '' AND NOT n.is_unresolved THEN 'ignored'
                    ELSE 'received' END,
                now(), nullif(n.problem, ''), CASE WHEN n.event = '' AND NOT n.is_unresolved THEN n.received_at END
            FROM unnest(
                \(notifications.map(\.id.uuid)), \(notifications.map(\.app.uuid)), \(notifications.map(\.store.rawValue)),
                \(notifications.map(\.environment.rawValue)), \(notifications.map(\.notificationUUID)),
                \(notifications.map(\.type)), \(notifications.map { $0.subtype ?? "" }),
                \(notifications.map { $0.content.event?.transaction.originalID ?? "" }), \(notifications.map(\.signedAt)),
                \(notifications.map(\.receivedAt)), \(notifications.map(\.signedPayload)), \(events),
                \(notifications.map { $0.content.problem ?? "" }), \(notifications.map(\.content.isUnresolved))
            ) AS n(id, app_id, store, environment, notification_uuid, type, subtype, original_id, signed_at,
                received_at, signed_payload, event, problem, is_unresolved)
            ON CONFLICT DO NOTHING
            RETURNING id
            """,
            after: settings,
            timeout: timeout
        )
        return Set(try rows.map { try $0.decode(0, as: Identifier<ReceivedNotification>.self) })
    }

    /// Leases up to `limit` notifications that are due, oldest first, for `lease` from now by the database's clock.
    ///
    /// One whose event cannot be read any more is parked, so that it does not hold up the others.
    package func leaseNotifications(
        limit: Int,
        by worker: UUID,
        for lease: Duration
    ) async throws -> [LeasedNotification] {
        let rows = try await writeAlone(
            """
            WITH due AS (
                SELECT id
                FROM store_notifications
                WHERE state = 'received' AND next_attempt_at <= now()
                ORDER BY next_attempt_at, id
                LIMIT \(limit)
                FOR UPDATE SKIP LOCKED
            )
            UPDATE store_notifications AS n
            SET state = 'processing', attempts = attempts + 1, leased_by = \(worker),
                lease_ends_at = now() + make_interval(secs => \(lease.inSeconds))
            FROM due
            WHERE n.id = due.id
            RETURNING n.id, n.app_id, n.store, n.event::text, n.needs_resolving, n.signed_at, n.received_at, n.attempts,
                n.waits
            """
        )
        var leased: [LeasedNotification] = []
        for row in rows {
            let (id, app, store, text, needsResolving, signedAt, receivedAt, attempt, waits) = try row.decode(
                Identifier<ReceivedNotification>.self,
                App.ID.self,
                Store.self,
                String?.self,
                Bool.self,
                Date.self,
                Date.self,
                Int32.self,
                Int32.self
            )
            let event = text.flatMap { try? EventJSON.event(from: $0) }
            guard event != nil || needsResolving else {
                try await markFailed(id, attempt: attempt, by: worker, since: now, because: "Its event cannot be read.")
                continue
            }
            leased.append(
                LeasedNotification(
                    id: id,
                    app: app,
                    store: store,
                    event: event,
                    signedAt: signedAt,
                    receivedAt: receivedAt,
                    attempt: attempt,
                    waits: waits,
                    worker: worker,
                    startedAt: now
                )
            )
        }
        return leased
    }

    /// Returns expired leases to the queue: their worker is gone. One that its workers have left so on
    /// `lastAttempt`, not counting its waits, is parked: it may be what ends them.
    package func rescueNotifications(lastAttempt: Int32) async throws -> Int {
        try await writeAlone(
            """
            WITH lost AS (
                SELECT id, attempts, attempts - waits >= \(lastAttempt) AS is_last, next_attempt_at AS due_at,
                    'The worker went away before it was done.' AS error
                FROM store_notifications
                WHERE state = 'processing' AND lease_ends_at < now()
                FOR UPDATE SKIP LOCKED
            ), recorded AS (
                INSERT INTO notification_attempts (notification_id, attempt, result, error, started_at, finished_at)
                SELECT id, attempts, CASE WHEN is_last THEN 'failed' ELSE 'retried' END, error, due_at, now()
                FROM lost
            )
            UPDATE store_notifications n
            SET state = CASE WHEN is_last THEN 'failed' ELSE 'received' END, leased_by = NULL, lease_ends_at = NULL,
                next_attempt_at = now(), last_error = error, finished_at = CASE WHEN is_last THEN now() END
            FROM lost
            WHERE n.id = lost.id
            """
        ).affectedRows
    }

    /// Puts a notification back, to be tried again after `delay`.
    ///
    /// - Parameter isWait: the attempt ended for no fault of the notification.
    package func retry(
        _ leased: LeasedNotification,
        after delay: Duration,
        because error: String,
        isWait: Bool = false
    ) async throws {
        _ = try await writeAlone(
            """
            WITH put_back AS (
                UPDATE store_notifications
                SET state = 'received', leased_by = NULL, lease_ends_at = NULL, last_error = \(error),
                    next_attempt_at = now() + make_interval(secs => \(delay.inSeconds)),
                    waits = waits + \(isWait ? 1 : 0, as: Int32.self)
                WHERE id = \(leased.id) AND attempts = \(leased.attempt) AND leased_by = \(leased.worker)
                RETURNING id
            )
            INSERT INTO notification_attempts (notification_id, attempt, result, error, started_at, finished_at)
            SELECT id, \(leased.attempt), 'retried', \(error), \(leased.startedAt), \(now) FROM put_back
            """
        )
    }

    /// Puts notifications back that were leased and not tried: whatever holds up one of a subscription holds up the
    /// rest.
    package func putBack(_ leased: [LeasedNotification], after delay: Duration) async throws {
        _ = try await writeAlone(
            """
            UPDATE store_notifications AS n
            SET state = 'received', attempts = attempts - 1, leased_by = NULL, lease_ends_at = NULL,
                next_attempt_at = now() + make_interval(secs => \(delay.inSeconds))
            FROM unnest(\(leased.map(\.id.uuid)), \(leased.map(\.attempt)), \(leased.map(\.worker)))
                AS l(id, attempt, worker)
            WHERE n.id = l.id AND n.attempts = l.attempt AND n.leased_by = l.worker
            """
        )
    }

    /// Parks a notification for people to look at; nothing processes it until somebody asks.
    package func markFailed(_ leased: LeasedNotification, because error: String) async throws {
        try await markFailed(
            leased.id,
            attempt: leased.attempt,
            by: leased.worker,
            since: leased.startedAt,
            because: error
        )
    }

    private func markFailed(
        _ id: Identifier<ReceivedNotification>,
        attempt: Int32,
        by worker: UUID,
        since start: Date,
        because error: String
    ) async throws {
        _ = try await writeAlone(
            """
            WITH failed AS (
                UPDATE store_notifications
                SET state = 'failed', leased_by = NULL, lease_ends_at = NULL, last_error = \(error),
                    finished_at = \(now)
                WHERE id = \(id) AND attempts = \(attempt) AND leased_by = \(worker)
                RETURNING id
            )
            INSERT INTO notification_attempts (notification_id, attempt, result, error, started_at, finished_at)
            SELECT id, \(attempt), 'failed', \(error), \(start), \(now) FROM failed
            """
        )
    }

    /// Makes parked notifications due again; their attempts count on. Those that cannot be read have nothing to try.
    package func retryFailedNotifications() async throws -> Int {
        try await writeAlone(
            """
            UPDATE store_notifications
            SET state = 'received', finished_at = NULL, next_attempt_at = now()
            WHERE state = 'failed' AND (event IS NOT NULL OR needs_resolving)
            """
        ).affectedRows
    }

    /// Whether anything waits or is being worked on.
    package func hasUnfinishedNotifications() async throws -> Bool {
        let rows = try await writeAlone(
            "SELECT EXISTS (SELECT FROM store_notifications WHERE state IN ('received', 'processing'))"
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// How many notifications stand where; for the operator.
    package func notificationCounts() async throws -> [String: Int] {
        try await writeAlone("SELECT state, count(*) FROM store_notifications GROUP BY state")
            .reduce(into: [:]) { counts, row in
                let (state, count) = try row.decode(String.self, Int.self)
                counts[state] = count
            }
    }
}

extension Duration {
    /// Seconds with their fraction, as `make_interval(secs => …)` takes them.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
