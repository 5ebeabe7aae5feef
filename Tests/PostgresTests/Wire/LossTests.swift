import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Loss of a connection", .timeLimit(.minutes(10)))
struct LossTests {
    @Test("a query whose server process is ended reports an unknown outcome, and the pool goes on")
    func midQuery() async throws {
        try await withDatabase { pool in
            try await allOpen(pool)
            let query = Task { try await pool.query("SELECT pg_sleep(30)") }
            try await until { try await end(sleeping: "pg_sleep(30)", in: pool) }
            let error = await #expect(throws: PostgresError.self) { try await query.value }
            #expect(error?.code == .connectionLost)
            #expect(error?.sqlState == .adminShutdown)
            let answer = try await pool.query("SELECT 5")[0].decode(Int.self)
            #expect(answer == 5)
            try await allOpen(pool)
        }
    }

    @Test("a query that a read-only pool loses is run again on another connection")
    func readsAreRetried() async throws {
        try await withDatabase(.set(\.isReadOnly, true), .set(\.statementTimeout, .seconds(30))) { pool in
            try await allOpen(pool)
            let query = try await HeldLock.run(in: pool) { lock in
                let query = Task { try await pool.query(HeldLock.wait)[0].decode(Int.self) }
                try await lock.endWaiting()
                return query
            }
            #expect(try await query.value == 7)
            #expect(pool.statistics.connectionsLost == 1)
        }
    }

    @Test("a transaction whose connection is lost fails as a whole, and nothing of it stays")
    func midTransaction() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (1)")
                    _ = try await pool.query("SELECT pg_terminate_backend(\(connection.processID))")
                    try await until { pool.statistics.connectionsLost == 1 }
                    _ = try await connection.query("INSERT INTO t VALUES (2)")
                }
            }
            #expect(error?.code == .connectionLost)
            let count = try await pool.withTransaction {
                try await $0.query("SELECT count(*) FROM t")[0].decode(Int.self)
            }
            #expect(count == 0)
        }
    }

    @Test("a COPY out whose connection is lost fails for its reader")
    func midCopyOut() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    let processID = connection.processID
                    var pieces = 0
                    for try await _ in try await connection.copyOut(
                        "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 10000000)) TO STDOUT"
                    ) {
                        pieces += 1
                        if pieces == 3 { _ = try await pool.query("SELECT pg_terminate_backend(\(processID))") }
                    }
                }
            }
            #expect(error?.code == .connectionLost)
            let count = try await pool.withConnection { try await $0.query("SELECT 1").count }
            #expect(count == 1)
        }
    }

    @Test("a COPY in whose connection is lost fails for its writer")
    func midCopyIn() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (s text)")
            let line = Array((String(repeating: "x", count: 10_000) + "\n").utf8)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    let processID = connection.processID
                    _ = try await connection.copyIn("COPY t FROM STDIN") { writer in
                        try await writer.write(line)
                        _ = try await pool.query("SELECT pg_terminate_backend(\(processID))")
                        while true { try await writer.write(line) }
                    }
                }
            }
            #expect(error?.code == .connectionLost)
            let count = try await pool.withConnection {
                try await $0.query("SELECT count(*) FROM t")[0].decode(Int.self)
            }
            #expect(count == 0)
        }
    }

    @Test("connections that are ended while idle are replaced unnoticed")
    func idle() async throws {
        try await withDatabase { pool in
            _ = try await pool.withConnection { try await $0.query("SELECT 1") }
            for _ in 0..<5 {
                try await allOpen(pool)
                let lost = pool.statistics.connectionsLost
                try await pool.withConnection { connection in
                    _ = try await connection.query(
                        """
                        SELECT pg_terminate_backend(pid)
                        FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """
                    )
                }
                try await until { pool.statistics.connectionsLost >= lost + pool.configuration.sharedConnections }
                let answer = try await pool.query("SELECT 5")[0].decode(Int.self)
                #expect(answer == 5)
            }
        }
    }

    /// Waits until all connections are open, so that no query waits behind a sleeping one.
    private func allOpen(_ pool: Pool) async throws {
        try await until { pool.statistics.sharedOpen == pool.configuration.sharedConnections }
    }

    private func end(sleeping text: String, in pool: Pool) async throws -> Bool {
        try await pool.query(
            """
            SELECT coalesce(bool_or(pg_terminate_backend(pid)), false)
            FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()
                AND query LIKE \("SELECT \(text)%")
            """
        )[0].decode(Bool.self)
    }
}
