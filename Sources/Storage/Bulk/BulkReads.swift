package import Billing
import Postgres

extension Reader {
    package var bulk: BulkReads { BulkReads(reader: self) }
}

/// The reads for the pages of bulk jobs.
package struct BulkReads: Sendable {
    let reader: Reader

    package func job(_ id: BulkJob.ID, app: App.ID) async throws -> BulkJob? {
        try await reader.query("\(BulkJob.selection) WHERE j.id = \(id) AND j.app_id = \(app)").first.map(BulkJob.init)
    }

    /// Jobs of an app, newest first, and one more than asked when there are more.
    ///
    /// - Parameter cursor: the last job of the page before.
    package func jobs(of app: App.ID, after cursor: BulkJob.ID?, limit: Int) async throws -> [BulkJob] {
        let beyond: Query =
            cursor.map { cursor in
                """
                AND (j.requested_at, j.id) < ((SELECT requested_at FROM bulk_jobs WHERE id = \(cursor)), \(cursor))
                """
            } ?? ""
        return try await reader.query(
            """
            \(BulkJob.selection)
            WHERE j.app_id = \(app) \(beyond)
            ORDER BY j.requested_at DESC, j.id DESC
            LIMIT \(limit + 1)
            """
        ).map(BulkJob.init)
    }

    /// The number of lines of a job in each state.
    package func counts(of job: BulkJob.ID) async throws -> [BulkJobItem.State: Int] {
        try await reader.query("SELECT state, count(*) FROM bulk_job_items WHERE job_id = \(job) GROUP BY state")
            .reduce(into: [:]) { counts, row in
                let (state, count) = try row.decode(BulkJobItem.State.self, Int.self)
                counts[state] = count
            }
    }

    /// Lines of a job in their order, and one more than asked when there are more.
    ///
    /// - Parameters:
    ///   - state: only those that stand there; nil for all.
    ///   - line: begins behind this one.
    package func rows(
        of job: BulkJob.ID,
        in state: BulkJobItem.State?,
        after line: Int,
        limit: Int
    ) async throws -> [BulkJobItem] {
        let there: Query = state.map { "AND state = \($0)" } ?? ""
        return try await reader.query(
            """
            \(BulkJobItem.selection)
            WHERE job_id = \(job) AND line > \(line) \(there)
            ORDER BY line
            LIMIT \(limit + 1)
            """
        ).map(BulkJobItem.init)
    }

    /// The line that a page before this one would begin behind: 0 for the first page.
    package func lineBefore(
        _ line: Int,
        of job: BulkJob.ID,
        in state: BulkJobItem.State?,
        limit: Int
    ) async throws -> Int {
        let there: Query = state.map { "AND state = \($0)" } ?? ""
        let rows = try await reader.query(
            """
            SELECT line
            FROM bulk_job_items
            WHERE job_id = \(job) AND line <= \(line) \(there)
            ORDER BY line DESC
            LIMIT 1 OFFSET \(limit)
            """
        )
        return try rows.first?.decode(0, as: Int.self) ?? 0
    }
}
