import Foundation
import Postgres

extension TestSite {
    /// Failed jobs of readmigo: its bulk job, and two reports.
    static let deadBulkJob = "00000000-0000-7000-8000-000000000071"
    static let deadReport = "00000000-0000-7000-8000-000000000072"
    static let otherDeadReport = "00000000-0000-7000-8000-000000000073"

    /// Adds jobs in every state; of reports, one each that is due, scheduled, retried and running.
    func addJobs() async throws {
        try await addBulkJob()
        try await pool.withConnection { connection in
            try await connection.execute(script: Self.jobs)
        }
    }

    /// Adds failed reports, a minute apart, beside those of `addJobs`.
    func addDeadReports(_ count: Int) async throws {
        _ = try await pool.query(
            """
            INSERT INTO jobs (id, app_id, kind, subject_id, state, attempt, max_attempts, scheduled_at, last_error, created_at,
                finalized_at)
            SELECT gen_random_uuid(), id, 'report', gen_random_uuid(), 'discarded', 60, 60, now(), 'disk full',
                now() - i * interval '1 minute', now()
            FROM apps, generate_series(1, \(count)) i
            WHERE slug = 'readmigo'
            """
        )
    }

    /// Returns a job's state and attempts: "available 60 of 61".
    func state(ofJob id: String) async throws -> String {
        let rows = try await pool.query(
            "SELECT state || ' ' || attempt || ' of ' || max_attempts FROM jobs WHERE id = \(UUID(uuidString: id))"
        )
        return try rows.first?.decode(0, as: String.self) ?? ""
    }

    private static let jobs = """
        INSERT INTO jobs (id, app_id, kind, subject_id, state, attempt, max_attempts, snoozes, scheduled_at, attempted_by,
            lease_ends_at, last_error, created_at, finalized_at)
        VALUES
            ('\(deadBulkJob)', '\(readmigo)', 'bulk_job', '\(bulkJobID)', 'discarded', 12, 10, 2, now(), NULL, NULL,
                'the plan is <gone>', now(), now()),
            ('\(deadReport)', '\(readmigo)', 'report', gen_random_uuid(), 'discarded', 60, 60, 0, now(), NULL, NULL,
                'no such directory', now(), now()),
            ('\(otherDeadReport)', '\(readmigo)', 'report', gen_random_uuid(), 'discarded', 60, 60, 0, now(), NULL, NULL,
                'disk full', now() - interval '1 day', now()),
            (gen_random_uuid(), '\(readmigo)', 'report', gen_random_uuid(), 'available', 0, 60, 0,
                now() - interval '5 minutes', NULL, NULL, NULL, now(), NULL),
            (gen_random_uuid(), '\(readmigo)', 'report', gen_random_uuid(), 'available', 0, 60, 0,
                now() + interval '1 day', NULL, NULL, NULL, now(), NULL),
            (gen_random_uuid(), '\(readmigo)', 'report', gen_random_uuid(), 'available', 2, 60, 0,
                now() + interval '1 hour', NULL, NULL, 'the disk was away', now(), NULL),
            (gen_random_uuid(), '\(readmigo)', 'report', gen_random_uuid(), 'running', 1, 60, 0, now(), gen_random_uuid(),
                now() + interval '1 minute', NULL, now(), NULL);
        """
}
