import Foundation
import TestSupport
import Testing

@testable import Postgres

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
            var refused: PostgresError?
            // On a busy machine the holder may have lost its lock before anybody waits for it: then once more.
            for _ in 0..<20 where refused == nil {
                let holder = Task {
                    try await pool.withTransaction { connection in
                        _ = try await connection.query("LOCK TABLE t")
                        try await Task.sleep(for: .seconds(60))
                    }
                }
                let deadline = ContinuousClock.now + .seconds(2)
                let locks: Query = "SELECT FROM pg_locks WHERE relation = 't'::regclass"
                while try await pool.query(locks).count != 1, .now < deadline {}
                do {
                    _ = try await pool.query("INSERT INTO t VALUES (1)")
                } catch let error as PostgresError {
                    refused = error
                }
                // The server ends the idle session, and with it its lock.
                try await until { (try? await pool.query("INSERT INTO t VALUES (1)")) != nil }
                holder.cancel()
                _ = await holder.result
            }
            #expect(refused?.sqlState == .lockNotAvailable)
        }
    }

    @Test("a transaction may wait for locks less long than others")
    func ownLockTimeout() async throws {
        try await withDatabase(.set(\.shortestLockTimeout, nil)) { pool in
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

    @Test("where a machine is slow, no transaction waits less long for locks than is set")
    func shortestLockTimeout() async throws {
        try await withDatabase(.set(\.shortestLockTimeout, .seconds(7))) { pool in
            for (own, waited) in [(1, "7s"), (9, "9s")] {
                let waiting = try await pool.withTransaction(lockTimeout: .seconds(own)) {
                    try await $0.query("SELECT current_setting('lock_timeout')")[0].decode(String.self)
                }
                #expect(waiting == waited)
            }
            let none = try await pool.withTransaction {
                try await $0.query("SELECT current_setting('lock_timeout')")[0].decode(String.self)
            }
            #expect(none == "0")
        }
    }

    @Test("a script on a connection of one's own ends when a statement there would")
    func script() async throws {
        try await withDatabase(.set(\.answerTimeout, .milliseconds(300))) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { try await $0.execute(script: "SELECT pg_sleep(60)") }
            }
            #expect(error?.code == .timeout)
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
            var code: PostgresError.Code?
            // On a busy machine a good process may be too slow for this limit: then once more.
            for _ in 0..<20 where code != .connectionLost {
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
                code = error?.code
                #expect(ContinuousClock.now - start < .seconds(50))
                try await until { (try? await pool.withTransaction { try await $0.query("SELECT 1").count }) == 1 }
                stopped.goOn()
            }
            #expect(code == .connectionLost)
        }
    }

    @Test("shared queries behind a server process that hangs are answered or fail, and the next go elsewhere")
    func hangingSharedProcess() async throws {
        try await withDatabase(
            .set(\.statementTimeout, .milliseconds(400)),
            .set(\.patience, .milliseconds(400)),
            .set(\.sharedConnections, 1)
        ) { pool in
            var processID: Int32?
            try await until {
                processID = try? await pool.query("SELECT pg_backend_pid()")[0].decode(Int32.self)
                return processID != nil
            }
            let stopped = Stopped()
            stopped.stop(try #require(processID))
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
            #expect(error?.code == .connectionLost)
            try await until { (try? await pool.query("SELECT 2")[0].decode(Int.self)) == 2 }
            stopped.goOn()
        }
    }

    @Test("a server process that hangs under a COPY costs its reader the rest and its connection, and no more")
    func hangingCopy() async throws {
        try await withDatabase(
            .set(\.nextRowTimeout, .seconds(1)),
            .set(\.patience, .milliseconds(400)),
            .set(\.exclusiveConnections, 1)
        ) { pool in
            let stopped = Stopped()
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    for try await _ in try await connection.copyOut(
                        "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 100000)) TO STDOUT"
                    ) {
                        stopped.stop(connection.processID)
                    }
                }
            }
            #expect(error?.code == .connectionLost)
            #expect(error?.message.hasPrefix("the server did not get on with its rows") == true)
            let count = try await pool.withConnection { try await $0.query("SELECT 1").count }
            #expect(count == 1)
            stopped.goOn()
        }
    }

    @Test("a server process that hangs under a COPY in is not written to for ever")
    func hangingCopyIn() async throws {
        try await withDatabase(
            // It may hang before it has begun to read.
            .set(\.firstRowTimeout, .seconds(1)),
            .set(\.nextRowTimeout, .seconds(1)),
            .set(\.patience, .milliseconds(400)),
            .set(\.exclusiveConnections, 1)
        ) { pool in
            _ = try await pool.query("CREATE TABLE t (s text)")
            let stopped = Stopped()
            let line = Array((String(repeating: "x", count: 10_000) + "\n").utf8)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    _ = try await connection.copyIn("COPY t FROM STDIN") { writer in
                        try await writer.write(line)
                        stopped.stop(connection.processID)
                        while true { try await writer.write(line) }
                    }
                }
            }
            #expect(error?.message.hasPrefix("the server ") == true)
            let count = try await pool.withConnection { try await $0.query("SELECT 1").count }
            #expect(count == 1)
            stopped.goOn()
        }
    }

    @Test("a server process that hangs in an open transaction that nobody ends does not keep the next borrower")
    func hangingRollback() async throws {
        try await withDatabase(
            .set(\.patience, .milliseconds(400)),
            .set(\.acquireTimeout, .seconds(30)),
            .set(\.exclusiveConnections, 1)
        ) { pool in
            let stopped = Stopped()
            try await pool.withConnection { connection in
                _ = try await connection.query("BEGIN")
                stopped.stop(connection.processID)
            }
            let count = try await pool.withConnection { try await $0.query("SELECT 1").count }
            #expect(count == 1)
            stopped.goOn()
        }
    }

    @Test("a server process that hangs under the listeners is left, and they hear again")
    func hangingListener() async throws {
        try await withDatabase(.set(\.patience, .seconds(5))) { pool in
            let first = try await pool.listen(to: "first")
            let processID = try await pool.query(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
            )[0].decode(Int32.self)
            let stopped = Stopped()
            stopped.stop(processID)
            let second = try await pool.listen(to: "second")
            var iterator = first.makeAsyncIterator()
            #expect(try await iterator.next() == .disconnected)
            #expect(try await iterator.next() == .reconnected)
            _ = try await pool.query("SELECT pg_notify('second', 'x')")
            var other = second.makeAsyncIterator()
            #expect(try await other.next()?.payload == "x")
            stopped.goOn()
        }
    }

    @Test("what is asked of a new connection has its limit, and so has what is asked of the private cluster")
    func blockingQuestions() async throws {
        let cluster = try await TestCluster.shared.cluster()
        let database = cluster.connectionString(database: "postgres")
        let start = ContinuousClock.now
        let hanging = await #expect(throws: PostgresError.self) {
            try await onThread {
                let connection = try PGConnection.open([("dbname", database)]) { _ in }
                let stopped = Stopped()
                stopped.stop(connection.backendProcessID)
                defer { stopped.goOn() }
                return try connection.textBlocking("SELECT 1", within: .milliseconds(300))
            }
        }
        #expect(hanging?.code == .connectionFailed)
        let slow = await #expect(throws: PostgresError.self) {
            try await cluster.execute("SELECT pg_sleep(5)", database: "postgres", within: .milliseconds(300))
        }
        #expect(slow?.code == .connectionFailed)
        #expect(ContinuousClock.now - start < .seconds(120))
    }

    @Test("what takes longer on a connection of one's own than shared ones allow keeps no processor busy meanwhile")
    func waitingIsIdle() async throws {
        try await withDatabase(.set(\.statementTimeout, .milliseconds(10)), .set(\.patience, .milliseconds(10))) {
            pool in
            try await pool.withConnection { connection in
                // Other tests may keep a thread busy for a while.
                try await until {
                    let before = ThreadTimes.now
                    _ = try await connection.query("SELECT pg_sleep(0.4)")
                    return ThreadTimes.now.busiest(since: before) < 0.2
                }
            }
        }
    }
}

/// The processor time of each thread of this process, in seconds; empty where the system does not tell it.
private struct ThreadTimes {
    private var times: [String: Double] = [:]

    static var now: Self {
        var all = Self()
        let directory = "/proc/self/task"
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            guard let line = try? String(contentsOfFile: "\(directory)/\(thread)/stat", encoding: .utf8) else {
                continue
            }
            // The fields after the name, which may hold anything: the state first, then numbers.
            let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
            let ticks = fields.dropFirst(12).prefix(2).compactMap { Double($0) }.reduce(0, +)
            all.times[thread] = ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        return all
    }

    func busiest(since before: Self) -> Double {
        times.map { $0.value - (before.times[$0.key] ?? 0) }.max() ?? 0
    }
}

/// A server process that is stopped with SIGSTOP, until the test is over at the latest.
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
