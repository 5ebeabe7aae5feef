import Postgres

/// A lock that a test holds: a query that takes it waits for as long as the test says.
struct HeldLock {
    /// A query that waits for the lock, then answers 7.
    static let wait: Query = "SELECT 7 FROM pg_advisory_xact_lock_shared(1)"

    private let holder: Connection

    /// Holds the lock, on an exclusive connection of the pool, while the body runs.
    static func run<Value: Sendable>(
        in pool: Pool,
        _ body: (HeldLock) async throws -> Value
    ) async throws -> Value {
        try await pool.withConnection { holder in
            _ = try await holder.query("SELECT pg_advisory_lock(1)")
            let value = try await body(HeldLock(holder: holder))
            _ = try await holder.query("SELECT pg_advisory_unlock(1)")
            return value
        }
    }

    /// Returns once that many queries wait for the lock.
    func untilWaiting(_ count: Int) async throws {
        try await until {
            try await holder.query("SELECT count(*) FROM \(Self.waiting)")[0].decode(Int.self) == count
        }
    }

    /// Terminates the server process of a query that waits for the lock.
    func endWaiting() async throws {
        try await until {
            try await holder.query("SELECT pg_terminate_backend(pid) FROM \(Self.waiting)").count == 1
        }
    }

    private static let waiting: Query = """
        pg_locks
        WHERE locktype = 'advisory' AND NOT granted AND
            database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
}
