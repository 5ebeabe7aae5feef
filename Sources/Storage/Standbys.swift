import Postgres

/// The standbys that stream from the primary, and whether a commit waits for them.
package struct Standbys: Sendable {
    package var count: Int
    /// Whether `synchronous_standby_names` names any.
    package var hasSynchronous: Bool
    /// The `synchronous_commit` of our own sessions.
    package var synchronousCommit: String

    /// Whether a commit comes back only when a synchronous standby has it on its disk.
    package var commitWaits: Bool { synchronousCommit == "on" || synchronousCommit == "remote_apply" }
}

extension Database {
    /// nil where no standby streams, or the server does not tell.
    package func standbys() async throws -> Standbys? {
        let rows = try await writeAlone(
            """
            SELECT (SELECT count(*) FROM pg_stat_replication WHERE application_name IS DISTINCT FROM 'pg_basebackup'),
                current_setting('synchronous_standby_names') <> '', current_setting('synchronous_commit')
            """
        )
        guard let (count, hasSynchronous, commit) = try rows.first?.decode(Int.self, Bool.self, String.self), count > 0
        else { return nil }
        return Standbys(count: count, hasSynchronous: hasSynchronous, synchronousCommit: commit)
    }
}
