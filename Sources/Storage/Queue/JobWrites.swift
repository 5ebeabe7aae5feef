package import Billing
package import Foundation
import Postgres

extension WriteTransaction {
    package var jobs: JobWrites { JobWrites(transaction: self) }
}

/// Jobs are written in the transaction of what they are about: both are there, or neither.
package struct JobWrites: Sendable {
    private static let table = QueueTable.jobs

    let transaction: WriteTransaction

    /// Has something done from a moment on. A subject has one job of a kind at a time: what waits for it, runs or is a dead
    /// letter becomes this one.
    ///
    /// - Parameters:
    ///   - moment: nil for now.
    ///   - maxAttempts: after so many it is a dead letter.
    package func enqueue(
        _ kind: Job.Kind,
        for subject: UUID,
        of app: App.ID,
        at moment: Date? = nil,
        maxAttempts: Int = 10,
        dueAt: Date? = nil
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO jobs AS j (id, app_id, kind, subject_id, state, scheduled_at, created_at, max_attempts, due_at)
            VALUES (\(transaction.newUUID()), \(app), \(kind.rawValue), \(subject), 'available', coalesce(\(moment), now()),
                \(transaction.now), \(maxAttempts, as: Int32.self), \(dueAt))
            ON CONFLICT (kind, subject_id) WHERE state IN ('available', 'running', 'discarded') DO UPDATE
            SET state = 'available', scheduled_at = EXCLUDED.scheduled_at, attempt = 0, snoozes = 0,
                max_attempts = EXCLUDED.max_attempts, attempted_by = NULL, lease_ends_at = NULL, last_error = NULL,
                finalized_at = NULL, due_at = least(j.due_at, EXCLUDED.due_at)
            """
        )
    }

    /// Has what waits for a subject done now; a worker that is at it loses its lease, because it may have decided by what was before. Where
    /// nothing waits, nothing happens.
    package func hasten(_ kind: Job.Kind, for subject: UUID) async throws {
        try await transaction.query(
            """
            UPDATE jobs
            SET state = 'available', scheduled_at = now(), attempt = 0, snoozes = 0, attempted_by = NULL, lease_ends_at = NULL
            WHERE kind = \(kind.rawValue) AND subject_id = \(subject) AND state IN ('available', 'running')
            """
        )
    }

    /// Ends what waits for a subject, runs or is a dead letter; a worker that is at it loses its lease.
    package func cancel(_ kind: Job.Kind, for subject: UUID) async throws {
        try await transaction.query(
            """
            UPDATE jobs
            SET state = 'cancelled', attempted_by = NULL, lease_ends_at = NULL, finalized_at = \(transaction.now)
            WHERE kind = \(kind.rawValue) AND subject_id = \(subject) AND state IN ('available', 'running', 'discarded')
            """
        )
    }

    /// Locks a leased job and keeps the lease going: nobody else changes what it is about meanwhile.
    ///
    /// - Parameter hasProgressed: that this transaction brings it on.
    /// - Returns: false when the lease is lost.
    package func hold(_ lease: Lease, for duration: Duration, hasProgressed: Bool = false) async throws -> Bool {
        try await !transaction.query(Self.table.renewal(of: lease, for: duration, hasProgressed: hasProgressed)).isEmpty
    }

    /// Ends a job that was done.
    ///
    /// - Returns: false when the lease is lost.
    package func complete(_ lease: Lease) async throws -> Bool {
        try await transaction.query(Self.table.finish(lease, as: "'completed'", at: transaction.now)).affectedRows == 1
    }
}

extension Database {
    /// Removes jobs that were done or cancelled before a moment, and says how many.
    package func forgetJobs(before moment: Date) async throws -> Int {
        try await writeAlone(
            "DELETE FROM jobs WHERE state IN ('completed', 'cancelled') AND finalized_at < \(moment)"
        ).affectedRows
    }
}
