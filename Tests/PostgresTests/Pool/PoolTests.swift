import Foundation
import Postgres
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Pool", .timeLimit(.minutes(10)))
struct PoolTests {
    @Test("10,000 queries at once each get their own answer")
    func tenThousand() async throws {
        try await withDatabase { pool in
            let sum = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<10_000 {
                    group.addTask {
                        try await pool.query("SELECT \(number), pg_backend_pid()")[0].decode(0, as: Int.self) == number
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(sum == 10_000)
            #expect(pool.statistics.sharedOpen == pool.configuration.sharedConnections)
            #expect(pool.statistics.connectionsOpened == pool.configuration.sharedConnections)
        }
    }

    @Test("queries made before the pool runs wait for it")
    func beforeRun() async throws {
        let configuration = PoolConfiguration.patient(try await TestDatabase.make())
        let pool = Pool(configuration, logger: .quiet)
        async let answer = pool.query("SELECT 1")[0].decode(Int.self)
        let running = Task { try await pool.run() }
        #expect(try await answer == 1)
        running.cancel()
        try await running.value
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(error?.code == .poolClosed)
        await #expect(throws: PostgresError.self) { try await pool.run() }
    }

    @Test("an error in the pipeline does not touch its neighbours")
    func errorInPipeline() async throws {
        try await withDatabase(.set(\.sharedConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE numbers (n int8 PRIMARY KEY)")
            let failures = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        do {
                            switch number % 5 {
                            case 0: _ = try await pool.query("SELECT 1 / \(number % 5)")
                            case 1: _ = try await pool.query(Query(unsafe: "SELEKT \(number % 7)"))
                            case 2: _ = try await pool.query("SELECT nothing FROM nowhere")
                            default: _ = try await pool.query("INSERT INTO numbers VALUES (\(number))")
                            }
                            return 0
                        } catch let error as PostgresError {
                            return error.sqlState == nil ? 1000 : 1
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(failures == 600)
            #expect(try await pool.query("SELECT count(*) FROM numbers")[0].decode(Int.self) == 400)
        }
    }

    @Test("a statement that cannot be prepared says why to each of those who run it at once")
    func unpreparable() async throws {
        try await withDatabase { pool in
            let states = try await withThrowingTaskGroup(of: SQLState?.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        do {
                            _ = try await pool.query("SELECT \(number) FROM nowhere")
                            return nil
                        } catch let error as PostgresError {
                            return error.sqlState
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(states == [.undefinedTable])
        }
    }

    @Test("several outdated statements of one group are prepared again")
    func outdatedGroup() async throws {
        try await withDatabase(.set(\.sharedConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (a int8)")
            let group: [Query] = ["INSERT INTO t VALUES (1)", "SELECT * FROM t", "SELECT * FROM t LIMIT 1"]
            _ = try await pool.pipeline(group)
            _ = try await pool.query("ALTER TABLE t ALTER a TYPE text")
            let rows = try await pool.pipeline(group)
            let values = try rows[1].map { try $0.decode(String.self) }
            #expect(values == ["1", "1"])
        }
    }

    @Test("an error says what, where and in which statement")
    func errorDetails() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE plans (id int8 CONSTRAINT one_of_each PRIMARY KEY)")
            _ = try await pool.query("INSERT INTO plans VALUES (1)")
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("INSERT INTO plans VALUES (\(1))")
            }
            #expect(error?.code == .server(.uniqueViolation))
            #expect(error?.sqlState?.sqlClass == .integrityConstraintViolation)
            #expect(error?.constraint == "one_of_each")
            #expect(error?.table == "plans")
            #expect(error?.detail == "Key (id)=(1) already exists.")
            #expect(error?.queryText == "INSERT INTO plans VALUES ($1)")
            #expect(error?.file.hasSuffix("PoolTests.swift") == true)
        }
    }

    @Test("a deferred unique violation is an error, though the statement itself succeeded")
    func deferredViolation() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            _ = try await pool.query("INSERT INTO t VALUES (1)")
            let alone = await #expect(throws: PostgresError.self) { try await pool.query("INSERT INTO t VALUES (1)") }
            #expect(alone?.sqlState == .uniqueViolation)
            let atCommit = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { try await $0.query("INSERT INTO t VALUES (1)") }
            }
            #expect(atCommit?.sqlState == .uniqueViolation)
            #expect(try await pool.query("SELECT count(*) FROM t")[0].decode(Int.self) == 1)
        }
    }

    @Test("statements of one pipeline take effect together or not at all")
    func atomicPipeline() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8 PRIMARY KEY)")
            let rows = try await pool.pipeline(["INSERT INTO t VALUES (1)", "SELECT n FROM t"])
            #expect(rows[0].affectedRows == 1)
            #expect(try rows[1][0].decode(Int.self) == 1)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.pipeline(["INSERT INTO t VALUES (2)", "INSERT INTO t VALUES (1)", "SELECT 1"])
            }
            #expect(error?.queryText == "INSERT INTO t VALUES (1)")
            #expect(try await pool.query("SELECT count(*) FROM t")[0].decode(Int.self) == 1)
        }
    }

    @Test("a NUL in a text never reaches the server")
    func nul() async throws {
        try await withDatabase { pool in
            for query: Query in [
                "SELECT \("a\0b")", "SELECT \(["\0"])", "SELECT \(JSONText("\"\0\""))", Query(unsafe: "SELECT 1\0"),
            ] {
                let error = await #expect(throws: PostgresError.self) { try await pool.query(query) }
                #expect(error?.code == .encoding)
            }
            #expect(pool.statistics.queriesDone == 0)
        }
    }

    @Test(
        "what would change the session of others is refused before it is sent",
        arguments: ["BEGIN", "  set x = 1", "\nListen orders", "ROLLBACK;", "COPY (SELECT 1) TO STDOUT", "lock t"]
    )
    func sessionStatements(sql: String) async throws {
        try await withDatabase { pool in
            let error = await #expect(throws: PostgresError.self) { try await pool.query(Query(unsafe: sql)) }
            #expect(error?.code == .protocolViolation)
            #expect(pool.statistics.queriesDone == 0)
        }
    }

    @Test("a read-only pool refuses writes, on both kinds of connection")
    func readOnly() async throws {
        try await withDatabase(.set(\.isReadOnly, true)) { pool in
            let shared = await #expect(throws: PostgresError.self) { try await pool.query("CREATE TABLE t ()") }
            #expect(shared?.sqlState == .readOnlySQLTransaction)
            let exclusive = await #expect(throws: PostgresError.self) {
                try await pool.withTransaction { try await $0.query("CREATE TABLE t ()") }
            }
            #expect(exclusive?.sqlState == .readOnlySQLTransaction)
            let found = try await pool.query("SELECT 1")[0].decode(Int.self)
            #expect(found == 1)
        }
    }

    @Test("a full pool refuses after a while, and says so")
    func fullPool() async throws {
        try await withDatabase(
            .set(\.exclusiveConnections, 1),
            .set(\.sharedConnections, 1),
            .set(\.pipelineDepth, 1),
            .set(\.acquireTimeout, .seconds(10))
        ) { pool in
            try await pool.withConnection { _ in
                let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
                #expect(error?.code == .poolExhausted)
            }
            try await pool.withConnection { _ in }

            let slow = try await HeldLock.run(in: pool) { lock in
                let slow = Task { try await pool.query(HeldLock.wait).count }
                try await lock.untilWaiting(1)
                let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
                #expect(error?.code == .poolExhausted)
                return slow
            }
            #expect(try await slow.value == 1)
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test("too many waiting is refused at once")
    func fullQueue() async throws {
        try await withDatabase(.set(\.sharedConnections, 1), .set(\.pipelineDepth, 1), .set(\.queueLimit, 2)) { pool in
            let refused = Counter()
            let queries = try await HeldLock.run(in: pool) { lock in
                let first = Task { try await pool.query(HeldLock.wait).count }
                try await lock.untilWaiting(1)
                let others = (0..<9).map { _ in
                    Task {
                        do {
                            return try await pool.query("SELECT 1").count
                        } catch let error as PostgresError where error.code == .poolExhausted {
                            refused.increment()
                            return 0
                        }
                    }
                }
                try await until { refused.value == 7 }
                return [first] + others
            }
            var answered = 0
            for query in queries { answered += try await query.value }
            #expect(answered == 3)
            #expect(refused.value == 7)
        }
    }

    @Test("a prepared statement survives a change of its table")
    func changedTable() async throws {
        try await withDatabase(.set(\.sharedConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (a int8)")
            _ = try await pool.query("INSERT INTO t VALUES (1)")
            #expect(try await pool.query("SELECT * FROM t")[0].decode(Int.self) == 1)
            _ = try await pool.query("ALTER TABLE t ALTER a TYPE text, ADD b int8 DEFAULT 2")
            #expect(try await pool.query("SELECT * FROM t")[0].decode(String.self, Int.self) == ("1", 2))
            _ = try await pool.query("DEALLOCATE ALL")
            #expect(try await pool.query("SELECT * FROM t")[0].decode(String.self, Int.self) == ("1", 2))
        }
    }

    @Test("a connection keeps no more prepared statements than it may")
    func boundedStatements() async throws {
        try await withDatabase(.set(\.sharedConnections, 1), .set(\.preparedStatements, 10)) { pool in
            for round in 0..<3 {
                for number in 0..<50 {
                    let rows = try await pool.query(Query(unsafe: "SELECT \(number)::int8"))
                    #expect(try rows[0].decode(Int.self) == number, "round \(round)")
                }
            }
            let kept = try await pool.query("SELECT count(*) FROM pg_prepared_statements")[0].decode(Int.self)
            #expect(kept <= 11)
        }
    }

    @Test("sessions speak UTC and ISO whatever the server's settings are")
    func sessionSettings() async throws {
        let cluster = try await TestCluster.shared.cluster()
        let name = await TestCluster.shared.freshName()
        try await cluster.createDatabase(named: name)
        try await withPool(PoolConfiguration.patient(cluster.connectionString(database: name))) { pool in
            _ = try await pool.query(Query(unsafe: "ALTER DATABASE \(name) SET TimeZone = 'Asia/Kathmandu'"))
            _ = try await pool.query(Query(unsafe: "ALTER DATABASE \(name) SET DateStyle = 'German'"))
        }
        try await withPool(PoolConfiguration.patient(cluster.connectionString(database: name))) { pool in
            let row = try await pool.query(
                """
                SELECT current_setting('TimeZone'), current_setting('DateStyle'), current_setting('client_encoding'),
                    current_setting('application_name'), current_setting('jit')
                """
            )[0]
            #expect(
                try row.decode(String.self, String.self, String.self, String.self, String.self) == (
                    "UTC", "ISO, MDY", "UTF8", "perennial", "off"
                )
            )
        }
    }

    @Test("a graceful shutdown finishes what is under way and takes nothing new")
    func gracefulShutdown() async throws {
        let configuration = PoolConfiguration.patient(try await TestDatabase.make())
        let pool = Pool(configuration, logger: .quiet)
        let group = ServiceGroup(configuration: .init(services: [pool], logger: .quiet))
        let running = Task { try await group.run() }
        #expect(try await pool.query("SELECT 1").count == 1)
        let (slow, transaction) = try await HeldLock.run(in: pool) { lock in
            let slow = Task { try await pool.query(HeldLock.wait).count }
            let transaction = Task {
                try await pool.withTransaction { connection in
                    _ = try await connection.query(HeldLock.wait)
                    return try await connection.query("SELECT 5")[0].decode(Int.self)
                }
            }
            try await lock.untilWaiting(2)
            await group.triggerGracefulShutdown()
            return (slow, transaction)
        }
        try await running.value
        #expect(try await slow.value == 1)
        #expect(try await transaction.value == 5)
        await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
    }

    @Test("a database that cannot be reached is named in the error")
    func unreachable() async throws {
        var configuration = PoolConfiguration(connectionString: "host=/nowhere/at/all dbname=x")
        configuration.acquireTimeout = .seconds(3)
        try await withPool(configuration) { pool in
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
            #expect(error?.code == .connectionFailed)
            #expect(error?.message.contains("/nowhere/at/all") == true)
            let lease = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
            #expect(lease?.code == .connectionFailed)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.add(1, ordering: .relaxed) }
}
