package import Foundation
import Postgres

/// How the work on notifications stands, as all processes of the last minute saw it.
package struct WorkStanding: Hashable, Sendable {
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
    ///   - stalledFor: how long it has seen notifications wait and none applied; nil while they are.
    ///   - timeout: how long the caller waits for the commit.
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
            timeout: timeout
        )
    }

    /// Whether a notification waits or is being worked on.
    package func hasWork(timeout: Duration? = nil) async throws -> Bool {
        let rows = try await writeAlone(
            """
            SELECT EXISTS (SELECT FROM store_notifications WHERE state = 'received')
                OR EXISTS (SELECT FROM store_notifications WHERE state = 'processing')
            """,
            timeout: timeout
        )
        return try rows.first?.decode(0, as: Bool.self) ?? false
    }

    /// How the work stands, by what the processes wrote within the last minute.
    package func workStanding(timeout: Duration? = nil) async throws -> WorkStanding {
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
            timeout: timeout
        )
        guard let row = rows.first else { return WorkStanding(isWaiting: false, workers: 0, stalledFor: nil) }
        let (isWaiting, workers, stalledFor) = try row.decode(Bool.self, Int.self, Double?.self)
        return WorkStanding(isWaiting: isWaiting, workers: workers, stalledFor: stalledFor)
    }

    /// Removes what processes that ended long ago have left.
    package func forgetHeartbeats() async throws {
        _ = try await writeAlone("DELETE FROM heartbeats WHERE written_at < now() - interval '1 day'")
    }
}
