import Billing
package import Foundation
import Postgres

/// The state of notification processing, as all processes of the last minute saw it.
package struct WorkStatus: Hashable, Sendable {
    /// Notifications wait or are being worked on.
    package var isWaiting: Bool
    /// Processes that apply notifications.
    package var workers: Int
    /// Seconds since which notifications have waited and no worker has applied any; nil while one gets on with it.
    package var stalledFor: Double?

    package init(isWaiting: Bool, workers: Int, stalledFor: Double?) {
        (self.isWaiting, self.workers, self.stalledFor) = (isWaiting, workers, stalledFor)
    }
}

extension Database {
    /// Stores that this process runs, and so finds out whether anything can be stored.
    ///
    /// - Parameters:
    ///   - server: the same for as long as the process lives.
    ///   - stalledFor: the time for which it has seen notifications wait and none applied; nil while they are.
    ///   - timeout: the time that the caller waits for the commit.
    package func beat(
        as server: UUID,
        isWorker: Bool,
        stalledFor: Duration?,
        timeout: Duration? = nil
    ) async throws {
        let seconds = isWorker ? stalledFor?.inSeconds : nil
        _ = try await writeAlone(
            """
            INSERT INTO heartbeats (server, written_at, is_worker, stalled_since)
            VALUES (\(server), now(), \(isWorker), now() - make_interval(secs => \(seconds)))
            ON CONFLICT (server) DO UPDATE
            SET written_at = excluded.written_at, is_worker = excluded.is_worker, stalled_since = excluded.stalled_since
            """,
            after: Self.lockTimeout(within: timeout) + Self.roomOnDisk,
            timeout: timeout
        )
    }

    /// Writes 140 kB, more than the memory that it may use, to a file next to the tables, which goes with the
    /// statement: a row that is changed in its place does not tell whether there is room for a new one.
    private static let roomOnDisk: [Query] = [
        "SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)",
        """
        SELECT count(*)
        FROM generate_series(
            1, CASE WHEN pg_size_bytes(current_setting('temp_file_limit')) BETWEEN 0 AND 1000000 THEN 0 ELSE 10000 END
        )
        """,
    ]

    /// True if something waits that a worker could apply: a notification that is due and was never tried, or several subscriptions
    /// that were held up. One that waits for its retry, or for a lock on its customer, stops no others.
    package func hasWork(timeout: Duration? = nil) async throws -> Bool {
        let rows = try await writeAlone(
            """
            SELECT EXISTS (
                    SELECT FROM store_notifications WHERE state = 'received' AND attempt = 0 AND scheduled_at <= now()
                )
                OR (
                    SELECT count(DISTINCT original_transaction_id) > 1
                    FROM (
                        SELECT original_transaction_id
                        FROM store_notifications
                        WHERE state = 'received' AND snoozes > 0
                        LIMIT 1000
                    ) AS held_up
                )
            """,
            after: Self.lockTimeout(within: timeout),
            timeout: timeout
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// The state of the work, from the processes' heartbeats of the last minute.
    package func workStatus(timeout: Duration? = nil) async throws -> WorkStatus {
        let rows = try await writeAlone(
            """
            SELECT EXISTS (SELECT FROM store_notifications WHERE state = 'received')
                    OR EXISTS (SELECT FROM store_notifications WHERE state = 'processing'),
                count(*),
                CASE WHEN bool_and(stalled_since IS NOT NULL)
                    THEN extract(epoch FROM now() - max(stalled_since))::float8 END
            FROM heartbeats
            WHERE is_worker AND written_at > now() - interval '1 minute'
            """,
            after: Self.lockTimeout(within: timeout),
            timeout: timeout
        )
        guard let row = rows.first else { return WorkStatus(isWaiting: false, workers: 0, stalledFor: nil) }
        let (isWaiting, workers, stalledFor) = try row.decode(Bool.self, Int.self, Double?.self)
        return WorkStatus(isWaiting: isWaiting, workers: workers, stalledFor: stalledFor)
    }

    /// True if a write waits for a synchronous standby, or longer than a moment for the disk; its locks are held meanwhile.
    package func hasUnconfirmedWrite(timeout: Duration? = nil) async throws -> Bool {
        let rows = try await writeAlone(
            """
            SELECT EXISTS (
                SELECT FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'active'
                    AND (
                        wait_event = 'SyncRep'
                        OR wait_event IN ('WALSync', 'WALWrite')
                            AND query_start < clock_timestamp() - interval '250 milliseconds'
                    )
            )
            """,
            timeout: timeout
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// Removes what processes that ended long ago have left.
    package func forgetHeartbeats() async throws {
        _ = try await writeAlone("DELETE FROM heartbeats WHERE written_at < now() - interval '1 day'")
    }

    /// Ends a wait for a lock at half the time that the caller waits, who then knows that it was one.
    static func lockTimeout(within timeout: Duration?) -> [Query] {
        guard let timeout else { return [] }
        let milliseconds = max(1, Int64(bounding: timeout / .milliseconds(2)))
        return ["SELECT set_config('lock_timeout', \(String(milliseconds)), true)"]
    }
}
