package import Billing
package import Foundation
import Postgres

extension Database {
    /// All reports, by name.
    package func reports() async throws -> [Report] {
        try await readPrimary { reader in
            try await reader.query(
                "SELECT \(Report.columns) FROM reports r JOIN apps a ON a.id = r.app_id ORDER BY r.name"
            ).map(Report.init(row:))
        }
    }

    /// Takes the report that has been due longest, for a while in which nobody else gets it; nil when none is due.
    package func leaseReport(by worker: UUID, for lease: Duration) async throws -> Report? {
        let until = now.addingTimeInterval(lease / .seconds(1))
        return try await writeAlone(
            """
            WITH due AS (
                SELECT id
                FROM reports
                WHERE due_at <= \(now) AND coalesce(retry_at <= \(now), true) AND coalesce(leased_until <= \(now), true)
                ORDER BY due_at, id
                LIMIT 1
                FOR UPDATE SKIP LOCKED
            )
            UPDATE reports r
            SET leased_by = \(worker), leased_until = \(until)
            FROM due, apps a
            WHERE r.id = due.id AND a.id = r.app_id
            RETURNING \(Report.columns)
            """
        ).first.map(Report.init(row:))
    }

    /// Writes down that a report could not be written, and when it is tried again.
    package func recordFailure(
        of report: Report,
        because failure: String,
        retryAt: Date,
        by worker: UUID
    ) async throws {
        _ = try await writeAlone(
            """
            UPDATE reports
            SET failure = \(failure), failed_at = \(now), retry_at = \(retryAt), attempts = attempts + 1,
                leased_by = NULL, leased_until = NULL
            WHERE id = \(report.id) AND leased_by = \(worker)
            """
        )
    }
}

extension WriteTransaction {
    package var reports: ReportWrites { ReportWrites(transaction: self) }
}

package struct ReportWrites: Sendable {
    let transaction: WriteTransaction

    /// - Returns: false when there is one of this name.
    package func add(_ report: Report) async throws -> Bool {
        try await !transaction.query(
            """
            INSERT INTO reports
                (id, app_id, name, content, grain, hour, directory, has_personal_data, created_at, next_day, due_at)
            VALUES
                (\(report.id), \(report.app), \(report.name), \(report.content.rawValue),
                 \(report.schedule.grain.rawValue), \(report.schedule.hour, as: Int16.self), \(report.directory),
                 \(report.hasPersonalData), \(transaction.now), \(report.next.first), \(report.dueAt))
            ON CONFLICT (name) DO NOTHING
            RETURNING id
            """
        ).isEmpty
    }

    /// - Returns: its app; nil when there is none of this name.
    package func remove(_ name: String) async throws -> App.ID? {
        try await transaction.query("DELETE FROM reports WHERE name = \(name) RETURNING app_id")
            .first?.decode(0, as: App.ID.self)
    }

    /// Goes on to the next period, if it is still this worker's.
    ///
    /// - Returns: false when somebody else has taken the report meanwhile.
    package func finish(_ report: Report, file: String, rows: Int, by worker: UUID) async throws -> Bool {
        let next = report.next.next
        return try await !transaction.query(
            """
            UPDATE reports
            SET next_day = \(next.first), due_at = \(report.schedule.due(next)), last_file = \(file),
                last_rows = \(Int64(rows)), last_written_at = \(transaction.now), attempts = 0, failure = NULL,
                failed_at = NULL, retry_at = NULL, leased_by = NULL, leased_until = NULL
            WHERE id = \(report.id) AND leased_by = \(worker) AND next_day = \(report.next.first)
            RETURNING id
            """
        ).isEmpty
    }
}
