import Postgres

extension TestSite {
    static let bulkJobID = "00000000-0000-7000-8000-0000000000b9"

    /// Adds a bulk job of readmigo's whose dry run is done.
    func addBulkJob() async throws {
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO bulk_jobs (id, app_id, kind, days, reason, state, requested_by, requested_at)
                    SELECT '\(Self.bulkJobID)', '00000000-0000-7000-8000-000000000001', 'extend', 3, '-', 'ready', id, now()
                    FROM staff WHERE email = 'admin@example.com'
                    """
            )
        }
    }
}
