import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Pool: cancellation and deadlines", .timeLimit(.minutes(10)))
struct PoolCancellationTests {
    @Test("who waits for a connection can be cancelled, and the next one gets it")
    func cancelledWaiter() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let waiter = try await pool.withConnection { _ in
                let waiter = Task { try await pool.withConnection { _ in } }
                try await until { pool.statistics.queuedLeases == 1 }
                waiter.cancel()
                let error = await #expect(throws: PostgresError.self) { try await waiter.value }
                #expect(error?.code == .cancelled)
                return Task { try await pool.withConnection { _ in 7 } }
            }
            #expect(try await waiter.value == 7)
        }
    }

    @Test("a task that is cancelled while its query is under way does not disturb the others")
    func cancelledInFlight() async throws {
        try await withDatabase(.set(\.sharedConnections, 1)) { pool in
            let neighbour = try await HeldLock.run(in: pool) { lock in
                let slow = Task { try await pool.query(HeldLock.wait) }
                try await lock.untilWaiting(1)
                let neighbour = Task { try await pool.query("SELECT 42")[0].decode(Int.self) }
                let queued = Task { try await pool.query("SELECT 43")[0].decode(Int.self) }
                slow.cancel()
                queued.cancel()
                let error = await #expect(throws: PostgresError.self) { try await slow.value }
                #expect(error?.code == .cancelled)
                _ = await queued.result
                return neighbour
            }
            #expect(try await neighbour.value == 42)
            #expect(try await pool.query("SELECT 44")[0].decode(Int.self) == 44)
            #expect(pool.statistics.connectionsLost == 0)
        }
    }

    @Test("a task that is cancelled already runs no query")
    func cancelledBefore() async throws {
        try await withDatabase { pool in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await pool.query("CREATE TABLE never ()")
            }
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            let found = try await pool.query("SELECT to_regclass('never') IS NULL")[0].decode(Bool.self)
            #expect(found)
        }
    }

    @Test("a thousand cancelled tasks leave the pool as it was")
    func manyCancelled() async throws {
        try await withDatabase(.set(\.sharedConnections, 2)) { pool in
            let tasks = (0..<1000).map { number in Task { try await pool.query("SELECT \(number), pg_sleep(0.001)") } }
            for (number, task) in tasks.enumerated() where !number.isMultiple(of: 10) { task.cancel() }
            var answered = 0
            for (number, task) in tasks.enumerated() {
                switch await task.result {
                case .success(let rows):
                    #expect(try rows[0].decode(0, as: Int.self) == number)
                    answered += 1
                case .failure(let error):
                    #expect((error as? PostgresError)?.code == .cancelled)
                }
            }
            #expect(answered >= 100)
            try await until { pool.statistics.queuedQueries == 0 }
            #expect(try await pool.query("SELECT 1").count == 1)
        }
    }

    @Test("a deadline ends the wait and leaves the neighbours alone")
    func deadline() async throws {
        try await withDatabase(.set(\.sharedConnections, 1)) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT pg_sleep(0.5)", timeout: .milliseconds(50))
            }
            #expect(error?.code == .timeout)
            let found = try await pool.query("SELECT 2")[0].decode(Int.self)
            #expect(found == 2)
        }
    }

    @Test("the server cancels what takes longer than the shared connections allow")
    func statementTimeout() async throws {
        try await withDatabase(.set(\.statementTimeout, .milliseconds(100))) { pool in
            let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT pg_sleep(5)") }
            #expect(error?.sqlState == .queryCanceled)
            try await pool.withConnection { connection in
                _ = try await connection.query("SELECT pg_sleep(0.2)")
            }
        }
    }
}
