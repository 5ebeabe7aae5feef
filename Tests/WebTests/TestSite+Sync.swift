import Foundation
import Postgres

extension TestSite {
    static let reconciliation = "00000000-0000-7000-8000-0000000000c1"

    /// Adds a reconciliation of readmigo's that read 40 notifications, of which the site's one was missing, and could not go on.
    func addReconciliation() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO reconciliations (id, app_id, store, environment, trigger, read_from, read_to, started_at,
                        finished_at, notifications_read, notifications_missed, problem)
                    VALUES ('\(Self.reconciliation)', '\(Self.readmigo)', 'apple', 'production', 'schedule',
                        now() - interval '1 day', now() - interval '1 hour', now() - interval '1 hour', now(), 40, 1,
                        'It did <not> answer.');
                    UPDATE store_notifications SET reconciliation_id = '\(Self.reconciliation)'
                    WHERE id = '\(Self.notificationID)';
                    """
            )
        }
    }
}
