import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Lost connections wake whoever waits", .timeLimit(.minutes(10)))
struct LostWakeUpTests {
    @Test("queries that wait behind one that ends its own connection are all answered, 200 times")
    func queuedBehindALoss() async throws {
        var configuration = PoolConfiguration.patient(try await TestDatabase.make())
        configuration.sharedConnections = 1
        for round in 0..<200 {
            // A pool of its own: one that loses its connection again and again waits ever longer before the next.
            try await withPool(configuration) { pool in
                try await within(.seconds(20), "round \(round)") { group in
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

    @Test("under random ends of sessions and cancelled tasks every query and transaction comes to an end, 200 times")
    func randomLosses() async throws {
        var configuration = PoolConfiguration.patient(try await TestDatabase.make())
        configuration.sharedConnections = 2
        configuration.exclusiveConnections = 3
        try await withPool(configuration) { _ = try await $0.query("CREATE TABLE t (n int8)") }
        for round in 0..<200 {
            try await withPool(configuration) { pool in
                try await within(.seconds(20), "round \(round)") { group in
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
                // The last sessions may be ended a moment after those who asked for it were told.
                try await until { (try? await pool.query("SELECT 42")[0].decode(Int.self)) == 42 }
            }
        }
    }

    @Test("a pool that is told to stop while others hold what it waits for ends, and answers everybody, 200 times")
    func stopping() async throws {
        let connectionString = try await TestDatabase.make()
        try await withPool(.patient(connectionString)) { holder in
            _ = try await holder.query("CREATE TABLE inbox (n int8)")
            for round in 0..<200 {
                var configuration = PoolConfiguration.patient(connectionString)
                configuration.sharedConnections = 2
                configuration.drainTimeout = .milliseconds(300)
                let pool = Pool(configuration, logger: .quiet)
                try await within(.seconds(20), "round \(round)") { group in
                    let running = Task { try await pool.run() }
                    group.addTask {
                        try? await holder.withTransaction { connection in
                            _ = try await connection.query("LOCK TABLE inbox")
                            try await Task.sleep(for: .milliseconds(Int.random(in: 1..<60)))
                        }
                    }
                    for number in 0..<10 {
                        group.addTask { _ = try? await pool.query("INSERT INTO inbox VALUES (\(number))") }
                        group.addTask {
                            _ = try? await pool.withTransaction {
                                try await $0.query("INSERT INTO inbox VALUES (\(number))")
                            }
                        }
                    }
                    group.addTask {
                        try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<60)))
                        running.cancel()
                        _ = await running.result
                    }
                }
            }
        }
    }
}

/// Runs tasks that must all come to an end in time.
private func within(
    _ limit: Duration,
    _ what: String,
    _ body: (inout ThrowingTaskGroup<Void, any Error>) throws -> Void
) async throws {
    let late = Task {
        try await Task.sleep(for: limit)
        Issue.record("\(what): somebody still waits after \(limit)")
        // What nobody will ever answer cannot be awaited either.
        exit(70)
    }
    defer { late.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
        try body(&group)
        try await group.waitForAll()
    }
}
