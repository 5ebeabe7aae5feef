package import Billing
import Foundation
import Postgres

extension Database {
    /// All reports, by name.
    package func reports() async throws -> [Report] {
        try await readPrimary { reader in
            try await reader.query(
                "\(Report.selection) ORDER BY r.name"
            ).map(Report.init(row:))
        }
    }

    /// nil when it was removed.
    package func report(_ id: Report.ID) async throws -> Report? {
        try await readPrimary { reader in
            try await reader.query("\(Report.selection) WHERE r.id = \(id)").first.map(Report.init(row:))
        }
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
                (id, app_id, name, content, grain, hour, directory, has_personal_data, created_at, next_day)
            VALUES
                (\(report.id), \(report.app), \(report.name), \(report.content.rawValue),
                 \(report.schedule.grain.rawValue), \(report.schedule.hour, as: Int16.self), \(report.directory),
                 \(report.hasPersonalData), \(transaction.now), \(report.next.first))
            ON CONFLICT (name) DO NOTHING
            RETURNING id
            """
        ).isEmpty
    }

    /// - Returns: its id and app; nil when there is none of this name.
    package func remove(_ name: String) async throws -> (id: Report.ID, app: App.ID)? {
        try await transaction.query("DELETE FROM reports WHERE name = \(name) RETURNING id, app_id")
            .first.map { (try $0.decode(0), try $0.decode(1)) }
    }

    /// Goes on to the next period.
    package func finish(_ report: Report, file: String, rows: Int) async throws {
        try await transaction.query(
            """
            UPDATE reports
            SET next_day = \(report.next.next.first), last_file = \(file), last_rows = \(Int64(rows)),
                last_written_at = \(transaction.now)
            WHERE id = \(report.id)
            """
        )
    }
}
