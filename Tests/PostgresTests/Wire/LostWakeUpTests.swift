import Foundation
import Postgres
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Lost connections wake whoever waits", .timeLimit(.minutes(10)))
struct LostWakeUpTests {
    @Test("queries that wait behind one that ends its own connection are all answered")
    func queuedBehindALoss() async throws {
        var configuration = PoolConfiguration.patient(try await TestDatabase.make())
        configuration.sharedConnections = 1
        for round in 0..<TestScale.rounds(200, sampled: 50) {
            // Each round has its own pool: one that keeps losing its connection waits longer and longer before the next.
            try await withPool(configuration) { pool in
                try await within(.seconds(180), "round \(round)") { group in
                    for number in 0..<6 {
                        group.addTask { _ = try? await pool.query("SELECT \(number)") }
                    }
                    group.addTask { _ = try? await pool.query("SELECT pg_terminate_backend(pg_backend_pid())") }
                    for number in 6..<12 {
                        group.addTask { _ = try? await pool.query("SELECT \(number)") }
                    }
                }
            }
        }
    }

    @Test("under random ends of sessions and cancelled tasks every query and transaction comes to an end")
    func randomLosses() async throws {
        var configuration = PoolConfiguration.patient(try await TestDatabase.make())
        configuration.sharedConnections = 2
        configuration.exclusiveConnections = 3
        try await withPool(configuration) { _ = try await $0.query("CREATE TABLE t (n int8)") }
        for round in 0..<TestScale.rounds(200, sampled: 50) {
            try await withPool(configuration) { pool in
                try await within(.seconds(180), "round \(round)") { group in
                    for number in 0..<12 {
                        group.addTask { _ = try? await pool.query("SELECT \(number), pg_sleep(0.001)") }
                    }
                    for number in 0..<6 {
                        group.addTask {
                            let work = Task {
                                try await pool.withTransaction { connection in
                                    _ = try await connection.query("INSERT INTO t VALUES (\(number))")
                                    _ = try await connection.query("SELECT pg_sleep(0.001)")
                                }
                            }
                            if number.isMultiple(of: 2) {
                                try? await Task.sleep(for: .microseconds(Int.random(in: 0..<3_000)))
                                work.cancel()
                            }
                            _ = await work.result
                        }
                    }
                    for _ in 0..<2 {
                        group.addTask {
                            try? await Task.sleep(for: .microseconds(Int.random(in: 0..<3_000)))
                            _ = try? await pool.query(
                                """
                                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                WHERE datname = current_database() AND random() < 0.5
                                """
                            )
                        }
                    }
                }
                // The last sessions may end a moment after the callers who ended them have their answers.
                try await until { (try? await pool.query("SELECT 42")[0].decode(Int.self)) == 42 }
            }
        }
    }

    @Test(
        "a pool that is told to stop while a row is locked does what it took on, refuses the rest, and ends"
    )
    func stopping() async throws {
        let connectionString = try await TestDatabase.make()
        try await withPool(.patient(connectionString)) { holder in
            _ = try await holder.query("CREATE TABLE counted AS SELECT 0::int8 AS n")
            let done = Tally()
            for round in 0..<TestScale.rounds(200, sampled: 50) {
                let (pool, services) = Self.stoppable(connectionString)
                let (locked, lock) = AsyncStream<Void>.makeStream()
                let holding = Task {
                    try await holder.withTransaction { connection in
                        _ = try await connection.query("SELECT FROM counted FOR UPDATE")
                        lock.finish()
                        try await Task.sleep(for: .microseconds(Int.random(in: 0..<20_000)))
                    }
                }
                for await _ in locked {}
                try await within(.seconds(180), "round \(round)") { group in
                    group.addTask { try await services.run() }
                    for count in Self.counting(in: pool) {
                        group.addTask {
                            do {
                                try await count()
                                done.add()
                            } catch let error as PostgresError where error.code == .poolClosed {
                                // The call was refused, and had no effect.
                            }
                        }
                    }
                    group.addTask {
                        try await Task.sleep(for: .microseconds(Int.random(in: 0..<20_000)))
                        await services.triggerGracefulShutdown()
                    }
                }
                try await holding.value
                let counted = try await holder.query("SELECT n FROM counted")[0].decode(Int.self)
                #expect(counted == done.count, "round \(round)")
            }
        }
    }

    @Test("a pool that is told to stop while a row stays locked ends at its limit and tells everybody, 20 times")
    func stoppingInVain() async throws {
        let connectionString = try await TestDatabase.make()
        try await withPool(.patient(connectionString)) { holder in
            _ = try await holder.query("CREATE TABLE counted AS SELECT 0::int8 AS n")
            for round in 0..<20 {
                let (pool, services) = Self.stoppable(connectionString, within: .milliseconds(30))
                try await holder.withTransaction { connection in
                    _ = try await connection.query("SELECT FROM counted FOR UPDATE")
                    try await within(.seconds(180), "round \(round)") { group in
                        group.addTask { try await services.run() }
                        for count in Self.counting(in: pool) {
                            group.addTask { _ = await #expect(throws: PostgresError.self) { try await count() } }
                        }
                        group.addTask {
                            try await Task.sleep(for: .microseconds(Int.random(in: 0..<20_000)))
                            await services.triggerGracefulShutdown()
                        }
                    }
                }
            }
        }
    }

    /// Makes a small pool, so that most queries have to wait, and a service group that stops it as SIGTERM does.
    private static func stoppable(
        _ connectionString: String,
        within limit: Duration = .seconds(60)
    ) -> (Pool, ServiceGroup) {
        var configuration = PoolConfiguration.patient(connectionString)
        configuration.sharedConnections = 2
        configuration.exclusiveConnections = 2
        configuration.drainTimeout = limit
        let pool = Pool(configuration, logger: .quiet)
        return (pool, ServiceGroup(configuration: .init(services: [pool], logger: .quiet)))
    }

    /// Returns queries and transactions that each add one.
    private static func counting(in pool: Pool) -> [@Sendable () async throws -> Void] {
        let add: Query = "UPDATE counted SET n = n + 1"
        let query: @Sendable () async throws -> Void = { _ = try await pool.query(add) }
        let transaction: @Sendable () async throws -> Void = {
            _ = try await pool.withTransaction { try await $0.query(add) }
        }
        return (0..<10).flatMap { _ in [query, transaction] }
    }
}

private final class Tally: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}

/// Runs tasks that all have to end in time.
private func within(
    _ limit: Duration,
    _ what: String,
    _ body: (inout ThrowingTaskGroup<Void, any Error>) throws -> Void
) async throws {
    let late = Task {
        try await Task.sleep(for: limit)
        Issue.record("\(what): somebody still waits after \(limit)")
        // A task that nobody will ever answer cannot be awaited either.
        exit(70)
    }
    defer { late.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
        try body(&group)
        try await group.waitForAll()
    }
}
