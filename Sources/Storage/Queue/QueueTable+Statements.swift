import Foundation
import Postgres

/// The one home of how rows are leased, fenced, tried again and finished.
extension QueueTable {
    /// Leases rows that are due. Of a list of ids PostgreSQL expects few, and looks them up; of a join with `due` it may expect as many as
    /// wait, and read the table.
    ///
    /// - Parameters:
    ///   - due: the part of a `WITH RECURSIVE` that locks them and names them so.
    ///   - columns: of the row `q`; they follow its id, attempt, snoozes and maximum of attempts.
    func leasing(_ due: Query, by worker: UUID, for lease: Duration, returning columns: Query) -> Query {
        """
        WITH RECURSIVE \(due)
        UPDATE \(table) AS q
        SET state = \(running), attempt = attempt + 1, attempted_by = \(worker),
            lease_ends_at = now() + make_interval(secs => \(lease.inSeconds))
        WHERE q.id = ANY (ARRAY(SELECT id FROM due))
        RETURNING q.id, q.attempt, q.snoozes, q.max_attempts, \(columns)
        """
    }

    /// The condition that selects a lease's row, for as long as the lease is not lost.
    func isHeld(_ lease: Lease) -> Query {
        "id = \(lease.id) AND attempt = \(lease.attempt) AND attempted_by = \(lease.worker)"
    }

    /// Gives one row while the lease is not lost, and locks it.
    func check(_ lease: Lease) -> Query {
        "SELECT id FROM \(table) WHERE \(isHeld(lease)) FOR NO KEY UPDATE"
    }

    /// Gives those rows whose lease is not lost, and locks them.
    func check(_ leases: [Lease]) -> Query {
        """
        SELECT id
        FROM \(table)
        WHERE (id, attempt, attempted_by) IN (
            SELECT * FROM unnest(\(leases.map(\.id))::uuid[], \(leases.map(\.attempt))::integer[], \(leases.map(\.worker))::uuid[]))
        ORDER BY id
        FOR NO KEY UPDATE
        """
    }

    /// Lets a lease last for `duration` from now, and says whether it is not lost. Whoever has locked the row is at work on
    /// it, so nobody waits for that.
    func renewalAlone(of lease: Lease, for duration: Duration) -> Query {
        """
        WITH renewed AS (
            UPDATE \(table)
            SET lease_ends_at = now() + make_interval(secs => \(duration.inSeconds))
            WHERE id IN (SELECT id FROM \(table) WHERE \(isHeld(lease)) FOR NO KEY UPDATE SKIP LOCKED)
        )
        SELECT EXISTS (SELECT FROM \(table) WHERE \(isHeld(lease)))
        """
    }

    /// Gives one row while the lease is not lost, locks it, and lets the lease last for `duration` from now.
    ///
    /// - Parameter hasProgressed: true if the work so far is kept, so that attempts before this one count no more.
    func renewal(of lease: Lease, for duration: Duration, hasProgressed: Bool = false) -> Query {
        let progress: Query = hasProgressed ? ", snoozes = attempt - 1" : ""
        return """
            UPDATE \(table)
            SET lease_ends_at = now() + make_interval(secs => \(duration.inSeconds))\(progress)
            WHERE \(isHeld(lease))
            RETURNING id
            """
    }

    /// Ends the work on a row.
    ///
    /// - Parameters:
    ///   - state: an SQL literal.
    ///   - error: the error that people have to look at.
    ///   - changes: further assignments, beginning with a comma.
    func finish(
        _ lease: Lease,
        as state: Query,
        because error: String? = nil,
        at end: Date,
        setting changes: Query = ""
    ) -> Query {
        """
        WITH finished AS (
            UPDATE \(table)
            SET state = \(state), attempted_by = NULL, lease_ends_at = NULL, last_error = \(error), finalized_at = \(end)\(changes)
            WHERE \(isHeld(lease))
            RETURNING id
        )
        INSERT INTO \(attempts) (\(attemptsKey), attempt, result, error, started_at, finished_at)
        SELECT id, \(lease.attempt), \(state), \(error), \(lease.startedAt), \(end)
        FROM finished
        """
    }

    /// The end of the work on a row.
    struct End: Sendable {
        var lease: Lease
        /// The error that people have to look at; nil without one.
        var error: String?
        var at: Date
    }

    /// Ends the work on several rows.
    ///
    /// - Parameters:
    ///   - done: the state of the rows without an error.
    ///   - failed: the state of the others.
    ///   - changes: further assignments, beginning with a comma.
    func finish(_ ends: [End], as done: String, or failed: String, setting changes: Query) -> Query {
        // The empty text stands for nothing in arrays.
        """
        WITH finished AS (
            UPDATE \(table) AS q
            SET state = e.state, attempted_by = NULL, lease_ends_at = NULL, last_error = nullif(e.error, ''),
                finalized_at = e.ended_at\(changes)
            FROM unnest(\(ends.map(\.lease.id))::uuid[], \(ends.map(\.lease.attempt))::integer[],
                \(ends.map(\.lease.worker))::uuid[], \(ends.map { $0.error == nil ? done : failed })::text[],
                \(ends.map { $0.error ?? "" })::text[], \(ends.map(\.lease.startedAt))::timestamptz[],
                \(ends.map(\.at))::timestamptz[]) AS e(id, attempt, worker, state, error, started_at, ended_at)
            WHERE q.id = e.id AND q.attempt = e.attempt AND q.attempted_by = e.worker
            RETURNING q.id, e.attempt, e.state, e.error, e.started_at, e.ended_at
        )
        INSERT INTO \(attempts) (\(attemptsKey), attempt, result, error, started_at, finished_at)
        SELECT id, attempt, state, nullif(error, ''), started_at, ended_at
        FROM finished
        """
    }

    /// Makes a row available again, after `delay`.
    ///
    /// - Parameter isSnooze: the attempt ended for no fault of the row.
    func retry(_ lease: Lease, after delay: Duration, because error: String, isSnooze: Bool, at end: Date) -> Query {
        """
        WITH put_back AS (
            UPDATE \(table)
            SET state = \(available), attempted_by = NULL, lease_ends_at = NULL, last_error = \(error),
                scheduled_at = now() + make_interval(secs => \(delay.inSeconds)),
                snoozes = snoozes + \(isSnooze ? 1 : 0, as: Int32.self)
            WHERE \(isHeld(lease))
            RETURNING id
        )
        INSERT INTO \(attempts) (\(attemptsKey), attempt, result, error, started_at, finished_at)
        SELECT id, \(lease.attempt), 'retried', \(error), \(lease.startedAt), \(end)
        FROM put_back
        """
    }

    /// Makes rows available again that were leased and not tried.
    func putBack(_ leases: [Lease], after delay: Duration) -> Query {
        """
        UPDATE \(table) AS q
        SET state = \(available), attempt = q.attempt - 1, attempted_by = NULL, lease_ends_at = NULL,
            scheduled_at = now() + make_interval(secs => \(delay.inSeconds))
        FROM unnest(\(leases.map(\.id))::uuid[], \(leases.map(\.attempt))::integer[], \(leases.map(\.worker))::uuid[])
            AS l(id, attempt, worker)
        WHERE q.id = l.id AND q.attempt = l.attempt AND q.attempted_by = l.worker
        """
    }

    /// Makes rows available again whose lease ran out: their worker is gone. One that its workers have left so on its last
    /// attempt is discarded: it may be what ends them.
    var rescue: Query {
        """
        WITH lost AS (
            SELECT id, attempt, attempt - snoozes >= max_attempts AS is_last, scheduled_at,
                'The worker went away before it was done.' AS error
            FROM \(table)
            WHERE state = \(running) AND lease_ends_at < now()
            FOR UPDATE SKIP LOCKED
        ), recorded AS (
            INSERT INTO \(attempts) (\(attemptsKey), attempt, result, error, started_at, finished_at)
            SELECT id, attempt, CASE WHEN is_last THEN \(discarded) ELSE 'retried' END, error, scheduled_at, now()
            FROM lost
        )
        UPDATE \(table) AS q
        SET state = CASE WHEN is_last THEN \(discarded) ELSE \(available) END, attempted_by = NULL, lease_ends_at = NULL,
            scheduled_at = now(), last_error = error, finalized_at = CASE WHEN is_last THEN now() END
        FROM lost
        WHERE q.id = lost.id
        """
    }

    /// Makes finished rows available at once. Their attempts count on; one whose attempts are used up gets one more.
    func revival(where condition: Query) -> Query {
        """
        UPDATE \(table) AS q
        SET state = \(available), finalized_at = NULL, scheduled_at = now(),
            max_attempts = greatest(max_attempts, attempt - snoozes + 1)
        WHERE \(condition)
        RETURNING id
        """
    }

    /// The condition that selects the dead letters that can be retried.
    var isDeadLetter: Query { "state = \(discarded) AND \(canBeTried)" }

    /// Wakes the workers of every server when the transaction commits.
    var wakeUp: Query { "SELECT pg_notify(\(Self.channel), \(name))" }
}

extension Duration {
    /// Seconds with their fraction, as `make_interval(secs => …)` takes them.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
