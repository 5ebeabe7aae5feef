import Logging

/// The turn of one migrator among those of a database: an advisory lock of its session.
struct MigrationTurn {
    let connection: Connection
    let logger: Logger

    /// Waits for the turn. After two seconds the log says who has it.
    ///
    /// - Throws: `PostgresError` with `.migration` when another session keeps it for too long.
    func take(patience: Duration) async throws {
        let startedAt = ContinuousClock.now
        var isTold = false
        while try await !isTaken() {
            let waited = startedAt.duration(to: .now)
            guard waited < patience else { throw exhausted(patience, try await holder()) }
            if waited >= .seconds(2), !isTold {
                isTold = true
                let holder = try await holder()
                logger.notice(
                    "waiting for another program to bring the schema forward",
                    metadata: ["holder": "\(holder)"]
                )
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Leaves the turn to others, if it was taken. If that fails the session has ended, and the turn with it.
    func end() async {
        _ = try? await connection.run(
            PendingQuery(JobContent(.group(["SELECT pg_advisory_unlock_all()"]))),
            shielded: true
        )
    }

    private func exhausted(_ patience: Duration, _ holder: String) -> PostgresError {
        PostgresError(
            .migration,
            "the schema has to be brought forward, and \(holder) has kept the turn for \(patience.components.seconds) s: where "
                + "that is a server that brings it forward, start again once it is done; where it hangs, end its session "
                + "(SELECT pg_terminate_backend(PID)), and start again"
        )
    }

    private func isTaken() async throws -> Bool {
        try await connection.query("SELECT pg_try_advisory_lock(\(Self.key))")[0].decode(0, as: Bool.self)
    }

    /// Returns the session that has the turn, in words.
    private func holder() async throws -> String {
        let rows = try await connection.query(
            """
            SELECT l.pid, a.application_name
            FROM pg_locks l
            LEFT JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (l.classid::bigint << 32) | l.objid::bigint = \(Self.key)
            """
        )
        guard let row = rows.first else { return "somebody who has just ended" }
        let (processID, name) = try row.decode(Int32.self, String?.self)
        return "the session with pid \(processID) (application_name \(name ?? "unknown"))"
    }

    /// The key of the advisory lock; the migrators of one database share it.
    private static let key: Int64 = 0x7065_7265_6e6e_6961
}
