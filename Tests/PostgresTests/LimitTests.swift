import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Nobody waits for ever", .timeLimit(.minutes(10)))
struct LimitTests {
    @Test("every connection has its limits for locks and idle transactions, and finds out when the other side vanished")
    func settings() async throws {
        try await withDatabase(
            .set(\.lockTimeout, .seconds(3)),
            .set(\.idleInTransactionTimeout, .seconds(15)),
            .set(\.transactionTimeout, .seconds(600))
        ) { pool in
            let question: Query = """
                SELECT concat_ws(' ', current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'),
                    coalesce(current_setting('transaction_timeout', true), '10min'))
                """
            #expect(try await pool.query(question)[0].decode(String.self) == "3s 15s 10min")
            let lent = try await pool.withConnection { try await $0.query(question)[0].decode(String.self) }
            #expect(lent == "3s 15s 10min")
        }
    }

    @Test("who waits for a lock is told so in time, and whose transaction stands idle loses it")
    func locks() async throws {
        try await withDatabase(
            .set(\.lockTimeout, .milliseconds(200)),
            .set(\.idleInTransactionTimeout, .seconds(1))
        ) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let holder = Task {
                try await pool.withTransaction { connection in
                    _ = try await connection.query("LOCK TABLE t")
                    try await Task.sleep(for: .seconds(60))
                }
            }
            try await until { try await pool.query("SELECT FROM pg_locks WHERE relation = 't'::regclass").count == 1 }
            let error = await #expect(throws: PostgresError.self) { try await pool.query("INSERT INTO t VALUES (1)") }
            #expect(error?.sqlState == .lockNotAvailable)
            // The server ends the idle session, and with it its lock.
            try await until { (try? await pool.query("INSERT INTO t VALUES (1)")) != nil }
            holder.cancel()
            _ = await holder.result
        }
    }

    @Test("a transaction may wait for locks less long than others")
    func ownLockTimeout() async throws {
        try await withDatabase { pool in
            let waiting = try await pool.withTransaction(lockTimeout: .milliseconds(1_500)) {
                try await $0.query("SELECT current_setting('lock_timeout')")[0].decode(String.self)
            }
            #expect(waiting == "1500ms")
            let after = try await pool.withConnection {
                try await $0.query("SELECT current_setting('lock_timeout')")[0].decode(String.self)
            }
            #expect(after == "0")
        }
    }

    @Test(
        "a server process that hangs costs its query and its connection, and no more",
        arguments: ["query", "COMMIT"]
    )
    func hangingProcess(_ moment: String) async throws {
        try await withDatabase(
            .set(\.answerTimeout, .milliseconds(400)),
            .set(\.patience, .milliseconds(400)),
            .set(\.exclusiveConnections, 2)
        ) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let stopped = Stopped()
            let start = ContinuousClock.now
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (1)")
                    stopped.stop(connection.processID)
                    guard moment == "query" else { return }
                    _ = try await connection.query("INSERT INTO t VALUES (2)")
                }
            }
            #expect(error?.code == .connectionLost)
            #expect(ContinuousClock.now - start < .seconds(30))
            let count = try await pool.withTransaction { try await $0.query("SELECT 1").count }
            #expect(count == 1)
            stopped.goOn()
        }
    }

    @Test("shared queries behind a server process that hangs are answered or fail, and the next go elsewhere")
    func hangingSharedProcess() async throws {
        try await withDatabase(
            .set(\.statementTimeout, .milliseconds(400)),
            .set(\.patience, .milliseconds(400)),
            .set(\.sharedConnections, 1)
        ) { pool in
            let stopped = Stopped()
            stopped.stop(try await pool.query("SELECT pg_backend_pid()")[0].decode(Int32.self))
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
            #expect(error?.code == .connectionLost)
            #expect(try await pool.query("SELECT 2")[0].decode(Int.self) == 2)
            stopped.goOn()
        }
    }
}

/// A server process that is held with SIGSTOP, until the test is over at the latest.
private final class Stopped: @unchecked Sendable {
    private var processID: Int32?

    func stop(_ processID: Int32) {
        self.processID = processID
        kill(processID, SIGSTOP)
    }

    func goOn() {
        if let processID { kill(processID, SIGCONT) }
        processID = nil
    }

    deinit {
        goOn()
    }
}
