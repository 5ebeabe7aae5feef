/// The position of a database server: its cluster, and its timeline, whose number grows with each failover.
package struct ServerPosition: Sendable, Hashable {
    /// The system identifier that `initdb` gave the cluster; its standbys have the same. nil where the server does not tell.
    package var system: String?
    /// nil for a standby.
    package var timeline: Int?

    package init(system: String?, timeline: Int?) {
        self.system = system
        self.timeline = timeline
    }
}

extension ServerPosition {
    /// The timeline is the WAL's, not the control file's, which is behind until the first checkpoint after a promotion.
    private static let timelineQuery = """
        SELECT CASE WHEN pg_is_in_recovery() THEN NULL
            ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END
        """

    /// Asks a server, and blocks, for `limit` at most for each of two questions.
    ///
    /// - Returns: nil for a server that does not say where it stands.
    static func blocking(_ connection: PGConnection, within limit: Duration) throws(PostgresError) -> ServerPosition? {
        guard let timeline = try connection.textBlocking(timelineQuery, within: limit) else { return nil }
        let system = try connection.textBlocking("SELECT system_identifier FROM pg_control_system()", within: limit)
        return ServerPosition(system: system ?? nil, timeline: timeline.flatMap { Int($0) })
    }
}
