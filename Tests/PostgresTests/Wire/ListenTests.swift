import Foundation
import Postgres
import TestSupport
import Testing

@Suite("LISTEN", .timeLimit(.minutes(10)))
struct ListenTests {
    @Test("a listener hears its channel, and only that")
    func recordingTime() async throws {
        try await withDatabase { pool in
            let orders = try await pool.listen(to: "orders")
            let odd = try await pool.listen(to: "odd \"name\"")
            _ = try await pool.query("SELECT pg_notify('other', 'x')")
            _ = try await pool.query("SELECT pg_notify('orders', 'one')")
            _ = try await pool.query("SELECT pg_notify('odd \"name\"', 'two')")
            var iterator = orders.makeAsyncIterator()
            #expect(try await iterator.next()?.payload == "one")
            var other = odd.makeAsyncIterator()
            #expect(try await other.next()?.payload == "two")
        }
    }

    @Test("a listener whose connection is ended is told, and hears again")
    func reconnecting() async throws {
        try await withDatabase { pool in
            let stream = try await pool.listen(to: "orders")
            _ = try await pool.query("SELECT pg_notify('orders', 'one')")
            var iterator = stream.makeAsyncIterator()
            let first = try #require(try await iterator.next())
            #expect(first.payload == "one")
            let ended = try await pool.query(
                """
                SELECT count(pg_terminate_backend(pid))
                FROM pg_stat_activity
                WHERE datname = current_database() AND query LIKE 'LISTEN%'
                """
            )[0].decode(Int.self)
            #expect(ended == 1)
            #expect(try await iterator.next() == .disconnected)
            #expect(try await iterator.next() == .reconnected)
            _ = try await pool.query("SELECT pg_notify('orders', 'two')")
            #expect(try await iterator.next()?.payload == "two")
        }
    }

    @Test("when nobody listens any more the connection is closed")
    func leaving() async throws {
        try await withDatabase { pool in
            let first = Task { for try await _ in try await pool.listen(to: "a") {} }
            let second = Task { for try await _ in try await pool.listen(to: "b") {} }
            try await until { try await listeners(in: pool) == 1 }
            first.cancel()
            _ = await first.result
            second.cancel()
            _ = await second.result
            try await until { try await listeners(in: pool) == 0 }
            let again = try await pool.listen(to: "a")
            _ = try await pool.query("SELECT pg_notify('a', 'back')")
            var iterator = again.makeAsyncIterator()
            #expect(try await iterator.next()?.payload == "back")
        }
    }

    @Test("a listener ends with the pool")
    func closing() async throws {
        let configuration = PoolConfiguration.patient(try await TestDatabase.make())
        let stream = try await withPool(configuration) { try await $0.listen(to: "orders") }
        for try await _ in stream { Issue.record("nobody notified") }
    }

    private func listeners(in pool: Pool) async throws -> Int {
        try await pool.query(
            """
            SELECT count(*)
            FROM pg_stat_activity
            WHERE datname = current_database() AND query ~ '^(UN)?LISTEN'
            """
        )[0].decode(Int.self)
    }
}
