import Foundation
import Postgres
import TestSupport
import Testing

@Suite("COPY", .timeLimit(.minutes(10)))
struct CopyTests {
    @Test("what goes in comes out")
    func roundTrip() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8, s text)")
            let lines = (0..<50_000).map { "\($0)\tline \($0)\n" }
            let bytes = Array(lines.joined().utf8)
            try await pool.withTransaction { connection in
                let count = try await connection.copyIn("COPY t FROM STDIN") { writer in
                    var position = 0
                    while position < bytes.count {
                        let end = min(position + 7777, bytes.count)
                        try await writer.write(Array(bytes[position..<end]))
                        position = end
                    }
                }
                #expect(count == 50_000)
                var out: [UInt8] = []
                var pieces = 0
                for try await piece in try await connection.copyOut("COPY (SELECT * FROM t ORDER BY n) TO STDOUT") {
                    out += piece
                    pieces += 1
                }
                #expect(out == bytes)
                #expect(pieces < bytes.count / 60_000 + 3)
            }
            let count = try await pool.query("SELECT count(*) FROM t")[0].decode(Int.self)
            #expect(count == 50_000)
        }
    }

    @Test("a writer that fails leaves the table as it was")
    func failingWriter() async throws {
        struct Broken: Error {}
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            try await pool.withConnection { connection in
                await #expect(throws: Broken.self) {
                    try await connection.copyIn("COPY t FROM STDIN") { writer in
                        try await writer.write(Array("1\n2\n".utf8))
                        throw Broken()
                    }
                }
                let count = try await connection.query("SELECT count(*) FROM t")[0].decode(Int.self)
                #expect(count == 0)
            }
        }
    }

    @Test("rows that do not fit are reported with where they stood")
    func badRows() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            try await pool.withConnection { connection in
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn("COPY t FROM STDIN") { writer in
                        for _ in 0..<1000 { try await writer.write(Array("1\n2\nthree\n".utf8)) }
                    }
                }
                #expect(error?.sqlState == .invalidTextRepresentation)
                #expect(error?.queryText == "COPY t FROM STDIN")
                let count = try await connection.query("SELECT count(*) FROM t")[0].decode(Int.self)
                #expect(count == 0)
            }
        }
    }

    @Test("an empty COPY is no error")
    func empty() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            try await pool.withConnection { connection in
                let count = try await connection.copyIn("COPY t FROM STDIN") { _ in }
                #expect(count == 0)
                for try await _ in try await connection.copyOut("COPY t TO STDOUT") {
                    Issue.record("there is nothing to copy")
                }
            }
        }
    }

    @Test("a slow consumer makes the server wait instead of filling our memory")
    func slowConsumer() async throws {
        try await withDatabase(alone: true) { pool in
            try await pool.withConnection { connection in
                let before = residentBytes()
                var iterator = try await connection.copyOut(
                    "COPY (SELECT repeat('x', 10000) FROM generate_series(1, 30000)) TO STDOUT"
                )
                .makeAsyncIterator()
                var total = try await iterator.next()?.count ?? 0
                let processID = connection.processID
                try await until {
                    let waiting = try await pool.query(
                        "SELECT wait_event = 'ClientWrite' FROM pg_stat_activity WHERE pid = \(processID)"
                    )
                    return try waiting[0].decode(Bool?.self) == true
                }
                #expect(residentBytes() - before < 30_000_000)
                while let piece = try await iterator.next() { total += piece.count }
                #expect(total == 30000 * 10001)
            }
        }
    }

    @Test("what is set for a COPY holds for it alone, and the transaction ends with the last row sent, read or not")
    func settings() async throws {
        try await withDatabase(.set(\.idleInTransactionTimeout, .milliseconds(100))) { pool in
            try await pool.withConnection { connection in
                let (processID, nobody) = (connection.processID, 0)
                // This is less than our buffers hold: all of it is here before anybody reads.
                var iterator = try await connection.copyOut(
                    rows: "SELECT current_setting('work_mem') FROM generate_series(1, 200000) n WHERE n > \(nobody)",
                    options: "FORMAT text",
                    after: "SELECT set_config('work_mem', '7MB', true)"
                )
                .makeAsyncIterator()
                try await until {
                    let states = try await pool.query("SELECT state FROM pg_stat_activity WHERE pid = \(processID)")
                    return try states[0].decode(String.self) == "idle"
                }
                try await Task.sleep(for: .milliseconds(500))
                var text: [UInt8] = []
                while let piece = try await iterator.next() { text += piece }
                #expect(String(decoding: text, as: UTF8.self) == String(repeating: "7MB\n", count: 200_000))
                let after = try await connection.query("SELECT current_setting('work_mem')")[0].decode(String.self)
                #expect(after != "7MB" && connection.processID == processID)
            }
        }
    }

    @Test("a setting that is refused is the error of its COPY, and the connection goes on")
    func refusedSetting() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection async throws in
                let error = await #expect(throws: PostgresError.self) {
                    for try await _ in try await connection.copyOut(
                        rows: "SELECT 1",
                        options: "FORMAT text",
                        after: "SELECT set_config('work_mem', 'much', true)"
                    ) {
                        Issue.record("nothing is copied")
                    }
                }
                #expect(error?.message.contains("work_mem") == true)
                #expect(try await connection.query("SELECT 5")[0].decode(Int.self) == 5)
            }
        }
    }

    @Test("a COPY that is abandoned is cancelled, and the connection goes on")
    func abandoned() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            let processID = try await pool.withConnection { connection in
                for try await _ in try await connection.copyOut(
                    "COPY (SELECT repeat('x', 1000) FROM generate_series(1, 10000000)) TO STDOUT"
                ) {
                    break
                }
                let answer = try await connection.query("SELECT 5")[0].decode(Int.self)
                #expect(answer == 5)
                return connection.processID
            }
            let again = try await pool.withConnection { $0.processID }
            #expect(again == processID)
        }
    }

    @Test("a cancelled task ends its COPY in")
    func cancelledWriter() async throws {
        try await withDatabase(.set(\.exclusiveConnections, 1)) { pool in
            _ = try await pool.query("CREATE TABLE t (n int8)")
            let (started, start) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await pool.withConnection { connection in
                    try await connection.copyIn("COPY t FROM STDIN") { writer in
                        while true {
                            try await writer.write(Array("1\n".utf8))
                            start.yield()
                        }
                    }
                }
            }
            for await _ in started { break }
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            let count = try await pool.withConnection {
                try await $0.query("SELECT count(*) FROM t")[0].decode(Int.self)
            }
            #expect(count == 0)
        }
    }

    @Test("a COPY in that is refused before it reads anything leaves no answer behind for the next query")
    func refusedBeforeReading() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                try await connection.execute(
                    script: """
                        CREATE TABLE t (n int8);
                        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
                        CREATE TRIGGER refusal BEFORE INSERT ON t FOR EACH STATEMENT EXECUTE FUNCTION refuse();
                        """
                )
                for number in 1...20 {
                    let error = await #expect(throws: PostgresError.self) {
                        try await connection.copyIn("COPY t FROM STDIN") { try await $0.write(Array("1\n".utf8)) }
                    }
                    #expect(error?.message == "not now")
                    #expect(try await connection.query("SELECT \(number)")[0].decode(Int.self) == number)
                }
            }
        }
    }

    @Test("what is no COPY is refused", arguments: ["SELECT 1", "CREATE TABLE t ()", "COPY (SELECT 1) TO STDOUT"])
    func noCopy(sql: String) async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                _ = await #expect(throws: PostgresError.self) {
                    try await connection.copyIn(Query(unsafe: sql)) { _ in }
                }
            }
            let count = try await pool.withConnection { try await $0.query("SELECT 1").count }
            #expect(count == 1)
        }
    }
}
