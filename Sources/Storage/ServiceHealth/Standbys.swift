import Postgres

/// The standbys that stream from the primary, and whether a commit waits for them.
package struct Standbys: Sendable {
    package var count: Int
    /// True if `synchronous_standby_names` names any.
    package var hasSynchronous: Bool
    /// The `synchronous_commit` of our own sessions.
    package var synchronousCommit: String

    /// The step at a synchronous standby that a commit waits for.
    package enum Wait: Sendable {
        case disk
        /// The memory of the standby's operating system: a standby whose machine fails as well does not have it.
        case memory
        case nothing
    }

    package var wait: Wait {
        switch synchronousCommit {
        case "on", "remote_apply": .disk
        case "remote_write": .memory
        default: .nothing
        }
    }
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
