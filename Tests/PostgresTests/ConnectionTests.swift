import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Connection", .timeLimit(.minutes(10)))
struct ConnectionTests {
    @Test("a transaction that returns stays, one that throws is undone")
    func commitAndRollback() async throws {
        struct Regret: Error {}
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let count = try await pool.withTransaction { connection in
                try await connection.query("INSERT INTO t VALUES (1), (2)").affectedRows
            }
            #expect(count == 2)
            await #expect(throws: Regret.self) {
                try await pool.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (3)")
                    throw Regret()
                }
            }
            #expect(try await pool.query("SELECT sum(n)::int8 FROM t")[0].decode(Int.self) == 3)
        }
    }

    @Test("an empty transaction asks nothing of the server")
    func emptyTransaction() async throws {
        try await withDatabase { pool in
            let before = try await pool.withConnection { $0.processID }
            try await pool.withTransaction { _ in }
            let done = pool.statistics.queriesDone
            #expect(done == 0)
            #expect(try await pool.withConnection { $0.processID } == before)
        }
    }

    @Test("a transaction that plans its statements once leaves the connection as it was")
    func plansOnce() async throws {
        try await withDatabase { pool in
            let mode: Query = "SELECT current_setting('plan_cache_mode')"
            try await pool.withConnection { connection in
                for _ in 1...2 {
                    let inside = try await connection.withTransaction(planning: .once) { connection in
                        try await connection.query(mode)[0].decode(String.self)
                    }
                    #expect(inside == "force_generic_plan")
                    let after = try await connection.query(mode)[0].decode(String.self)
                    #expect(after == "auto")
                }
            }
        }
    }

    @Test("a savepoint is undone without the rest")
    func savepoints() async throws {
        struct Regret: Error {}
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8 PRIMARY KEY)")
            try await pool.withTransaction { connection in
                _ = try await connection.query("INSERT INTO t VALUES (1)")
                try? await connection.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (2)")
                    try await connection.withTransaction { connection in
                        _ = try await connection.query("INSERT INTO t VALUES (3)")
                    }
                    throw Regret()
                }
                try? await connection.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (1)")
                }
                _ = try await connection.query("INSERT INTO t VALUES (4)")
            }
            let kept = try await pool.query("SELECT n FROM t ORDER BY n").map { try $0.decode(Int.self) }
            #expect(kept == [1, 4])
        }
    }

    @Test("swallowing an error in a transaction does not make its end look like a commit")
    func swallowedError() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (1)")
                    _ = try? await connection.query("SELECT 1 / 0")
                }
            }
            #expect(error?.sqlState == .inFailedSQLTransaction)
            #expect(try await pool.query("SELECT count(*) FROM t")[0].decode(Int.self) == 0)
        }
    }

    @Test("the level of isolation is what was asked for")
    func isolation() async throws {
        try await withDatabase { pool in
            for level in [IsolationLevel.readCommitted, .repeatableRead, .serializable] {
                let shown = try await pool.withTransaction(at: level) { connection in
                    try await connection.query("SELECT upper(current_setting('transaction_isolation'))")[0]
                        .decode(String.self)
                }
                #expect(shown == level.rawValue)
            }
        }
    }

    @Test("several statements in one round trip: the first error is thrown, the transaction can be undone")
    func pipeline() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8 PRIMARY KEY)")
            let rows = try await pool.withTransaction { connection in
                try await connection.pipeline([
                    "INSERT INTO t VALUES (\(1)) RETURNING n", "INSERT INTO t VALUES (\(2)) RETURNING n",
                    "SELECT count(*) FROM t",
                ])
            }
            #expect(try rows.map { try $0[0].decode(Int.self) } == [1, 2, 2])
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { connection in
                    try await connection.pipeline([
                        "INSERT INTO t VALUES (3)", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (4)",
                    ])
                }
            }
            #expect(error?.sqlState == .uniqueViolation)
            #expect(error?.queryText == "INSERT INTO t VALUES (1)")
            #expect(try await pool.query("SELECT count(*) FROM t")[0].decode(Int.self) == 2)
        }
    }

    @Test("a cancelled task has the server stop its query, and the connection goes on")
    func cancellation() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let first = try await pool.withConnection { $0.processID }
            let task = Task {
                try await pool.withConnection { try await $0.query("SELECT pg_sleep(60)") }
            }
            try await until { try await isActive(first, in: pool) }
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.sqlState == .queryCanceled)
            let again = try await pool.withConnection { connection in
                let found = try await connection.query("SELECT 1")[0].decode(Int.self)
                #expect(found == 1)
                return connection.processID
            }
            #expect(again == first)
        }
    }

    @Test("a cancelled transaction is rolled back")
    func cancelledTransaction() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let processID = try await pool.withConnection { $0.processID }
            let task = Task {
                try await pool.withTransaction { connection in
                    _ = try await connection.query("INSERT INTO t VALUES (1)")
                    _ = try await connection.query("SELECT pg_sleep(60)")
                }
            }
            try await until { try await isActive(processID, in: pool) }
            task.cancel()
            await #expect(throws: PostgresError.self) { try await task.value }
            try await pool.withTransaction { connection in
                #expect(connection.processID == processID)
                let found = try await connection.query("SELECT count(*) FROM t")[0].decode(Int.self)
                #expect(found == 0)
            }
        }
    }

    @Test("a deadline stops the query at the server")
    func deadline() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            try await pool.withConnection { connection in
                let started = ContinuousClock.now
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.query("SELECT pg_sleep(60)", timeout: .milliseconds(100))
                }
                #expect(error?.code == .timeout)
                #expect(started.duration(to: .now) < .seconds(50))
                let found = try await connection.query("SELECT 1")[0].decode(Int.self)
                #expect(found == 1)
            }
        }
    }

    @Test("a thousand deadlines and cancellations never hit the next query")
    func cancellationRaces() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 2)) { pool in
            try await withThrowingTaskGroup { group in
                for lane in 0..<2 {
                    group.addTask {
                        try await pool.withConnection { connection in
                            for round in 0..<150 {
                                let pause = Double((round * 7 + lane) % 12) / 2000
                                _ = try? await connection.query(
                                    "SELECT pg_sleep(\(pause))",
                                    timeout: .microseconds(3000)
                                )
                                let found = try await connection.query("SELECT \(round)")[0].decode(Int.self)
                                #expect(found == round)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(pool.statistics.connectionsLost == 0)
        }
    }

    @Test("a connection that was given back cannot be used")
    func usedAfterReturn() async throws {
        try await withDatabase { pool in
            let kept = try await pool.withConnection { $0 }
            let error = await #expect(throws: PostgresError.self) { try await kept.query("SELECT 1") }
            #expect(error?.code == .protocolViolation)
        }
    }

    @Test("a transaction left open by hand is rolled back before the next borrower comes")
    func leftOpen() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let first = try await pool.withConnection { connection in
                try await connection.execute(script: "BEGIN; INSERT INTO t VALUES (1)")
                return connection.processID
            }
            try await pool.withConnection { connection in
                #expect(connection.processID == first)
                let found = try await connection.query("SELECT count(*) FROM t")[0].decode(Int.self)
                #expect(found == 0)
            }
        }
    }

    @Test("queries of several tasks on one connection wait for each other")
    func concurrentUse() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<100 {
                        group.addTask { try await connection.query("SELECT \(number)")[0].decode(Int.self) }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(sum == 4950)
            }
        }
    }

    @Test("a script with a failing statement reports it and leaves nothing behind")
    func script() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.execute(script: "CREATE TABLE a (); CREATE TABLE a (); CREATE TABLE b ()")
                }
                #expect(error?.sqlState == .duplicateTable)
                try await connection.execute(
                    script: "CREATE TABLE a (n int8); INSERT INTO a VALUES (1); SELECT * FROM a"
                )
                #expect(try await connection.query("SELECT n FROM a")[0].decode(Int.self) == 1)
            }
        }
    }

    @Test("COPY where it has no business is refused and the pool recovers")
    func strayCopy() async throws {
        try await withDatabase(.set(\.sharedConnections, 1)) { pool in
            await #expect(throws: PostgresError.self) { try await pool.query("COPY (SELECT 1) TO STDOUT") }
            #expect(try await pool.query("SELECT 1").count == 1)
            try await pool.withConnection { connection in
                _ = await #expect(throws: PostgresError.self) {
                    try await connection.execute(script: "COPY (SELECT 1) TO STDOUT")
                }
            }
            let count = try await pool.withConnection { try await $0.query("SELECT 1").count }
            #expect(count == 1)
        }
    }

    private func isActive(_ processID: Int32, in pool: Pool) async throws -> Bool {
        try await pool.query(
            """
            SELECT count(*) > 0
            FROM pg_stat_activity
            WHERE pid = \(processID) AND state = 'active' AND query LIKE '%pg_sleep%'
            """
        )[0].decode(Bool.self)
    }
}
