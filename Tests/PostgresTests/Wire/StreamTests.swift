import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Streams", .timeLimit(.minutes(10)))
struct StreamTests {
    @Test("a million rows pass through in bounded memory")
    func millionRows() async throws {
        try await withDatabase(alone: true) { pool in
            try await pool.withConnection { connection in
                _ = try await connection.query("SELECT 1")
                var count = 0
                var sum = 0
                var peak = 0
                let before = residentBytes()
                let rows = try await connection.stream(
                    "SELECT n, repeat('x', 100) FROM generate_series(1::int8, \(1_000_000)) AS n"
                )
                for try await row in rows {
                    let (number, text) = try row.decode(Int.self, String.self)
                    count += 1
                    sum += number &+ text.utf8.count
                    if count.isMultiple(of: 50_000) { peak = max(peak, residentBytes()) }
                }
                #expect(count == 1_000_000)
                #expect(sum == 500_000_500_000 + 100_000_000)
                // The rows together have more than 130 MB.
                #expect(peak - before < 40_000_000)
                let after = try await connection.query("SELECT 1").count
                #expect(after == 1)
            }
        }
    }

    @Test("a slow consumer makes the server wait instead of filling our memory")
    func slowConsumer() async throws {
        try await withDatabase(alone: true) { pool in
            try await pool.withConnection { connection in
                let before = residentBytes()
                var iterator = try await connection.stream(
                    "SELECT repeat('x', 10000) FROM generate_series(1::int8, 100000)"
                )
                .makeAsyncIterator()
                let first = try await iterator.next()
                #expect(first != nil)
                let processID = connection.processID
                try await until {
                    let waiting = try await pool.query(
                        "SELECT wait_event = 'ClientWrite' FROM pg_stat_activity WHERE pid = \(processID)"
                    )
                    return try waiting[0].decode(Bool?.self) == true
                }
                #expect(residentBytes() - before < 60_000_000)
            }
        }
    }

    @Test("a consumer that pauses is not taken for a server that hangs")
    func pausingConsumer() async throws {
        try await withDatabase(.set(\.nextRowTimeout, .seconds(10))) { pool in
            try await pool.withConnection { connection in
                var bytes = 0
                for try await piece in try await connection.copyOut(
                    "COPY (SELECT repeat('x', 999) FROM generate_series(1, 20000)) TO STDOUT"
                ) {
                    if bytes == 0 { try await Task.sleep(for: .seconds(12)) }
                    bytes += piece.count
                }
                #expect(bytes == 20_000_000)
            }
        }
    }

    @Test("a stream without a first row is stopped at a limit of its own, and the connection goes on")
    func firstRow() async throws {
        try await withDatabase(
            .set(\.firstRowTimeout, .seconds(10)),
            .set(\.nextRowTimeout, .milliseconds(200)),
            .set(\.exclusiveConnections, 1)
        ) { pool in
            try await pool.withConnection { connection in
                var seen = 0
                for try await _ in try await connection.stream("SELECT pg_sleep(0.6)") { seen += 1 }
                #expect(seen == 1)
                let error = await #expect(throws: PostgresError.self) {
                    for try await _ in try await connection.stream("SELECT pg_sleep(60)") {}
                }
                #expect(error?.code == .timeout)
                #expect(error?.message.hasPrefix("the server had no row within") == true)
                let answer = try await connection.query("SELECT 5")[0].decode(Int.self)
                #expect(answer == 5)
            }
        }
    }

    @Test("a stream that is left early is cancelled, and the connection goes on")
    func leftEarly() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let processID = try await pool.withConnection { connection in
                for _ in 0..<5 {
                    var seen = 0
                    for try await row in try await connection.stream("SELECT generate_series(1::int8, 10000000)") {
                        seen += try row.decode(Int.self) > 0 ? 1 : 0
                        if seen == 1000 { break }
                    }
                    let answer = try await connection.query("SELECT 5")[0].decode(Int.self)
                    #expect(answer == 5)
                }
                return connection.processID
            }
            let again = try await pool.withConnection { $0.processID }
            #expect(again == processID)
        }
    }

    @Test("a stream that nobody reads is cancelled with the loan, however soon that ends")
    func neverRead() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let first = try await pool.withConnection { $0.processID }
            for round in 0..<20 {
                var kept: RowStream?
                try await pool.withConnection { connection in
                    kept = try await connection.stream("SELECT pg_sleep(0.001) FROM generate_series(1, 10000000)")
                    if round.isMultiple(of: 2) { try await Task.sleep(for: .milliseconds(round)) }
                }
                let again = try await pool.withConnection { connection in
                    _ = try await connection.query("SELECT 1")
                    return connection.processID
                }
                #expect(again == first)
                let stream = try #require(kept)
                await #expect(throws: PostgresError.self) { for try await _ in stream {} }
            }
        }
    }

    @Test("an error after some rows reaches the consumer after those rows")
    func lateError() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                var seen = 0
                let error = await #expect(throws: PostgresError.self) {
                    for try await _ in try await connection.stream(
                        "SELECT 1 / (5000 - n) FROM generate_series(1::int8, 10000) AS n"
                    ) {
                        seen += 1
                    }
                }
                #expect(error?.sqlState?.sqlClass == .dataException)
                #expect(error?.queryText?.contains("generate_series") == true)
                #expect(seen == 4999)
                let answer = try await connection.query("SELECT 5")[0].decode(Int.self)
                #expect(answer == 5)
            }
        }
    }

    @Test("a task that is cancelled while it reads stops, and the server too")
    func cancelledReader() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let (started, start) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await pool.withConnection { connection in
                    for try await _ in try await connection.stream(
                        "SELECT pg_sleep(0.01) FROM generate_series(1, 100000)"
                    ) {
                        start.yield()
                    }
                }
            }
            for await _ in started { break }
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            let answer = try await pool.withConnection { try await $0.query("SELECT 5")[0].decode(Int.self) }
            #expect(answer == 5)
        }
    }

    @Test("a deadline ends a stream")
    func deadline() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) {
                    let rows = try await connection.stream(
                        "SELECT pg_sleep(0.01) FROM generate_series(1, 100000)",
                        timeout: .milliseconds(100)
                    )
                    for try await _ in rows {}
                }
                #expect(error?.code == .timeout)
                let answer = try await connection.query("SELECT 5")[0].decode(Int.self)
                #expect(answer == 5)
            }
        }
    }
}

/// The memory that this process occupies.
func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
