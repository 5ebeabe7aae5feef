import Foundation
import Postgres
import TestSupport
import Testing

private enum Mood: String, PostgresEncodable, PostgresDecodable, PostgresArrayElement {
    case happy
    case sad
}

private enum Rank: Int, PostgresEncodable, PostgresDecodable {
    case basic = 1
    case premium = 2
}

@Suite("Values")
struct ValuesTests {
    @Test("every type comes back as it was sent")
    func roundTrip() async throws {
        let date = Date(timeIntervalSinceReferenceDate: 812_345_678.123456)
        let id = UUID()
        let day = try #require(CalendarDay(year: 2024, month: 2, day: 29))
        try await withDatabase { pool in
            let rows = try await pool.query(
                """
                SELECT \(Int16.min), \(Int32.min), \(Int64.min), \(Int.max), \(true), \(Double.pi), \("Grüße 🎈"), \(id),
                    \(date), \([0, 255] as [UInt8]), \(JSONText("{\"a\": 1}")), \(day)
                """
            )
            let row = try rows[0].decode(
                Int16.self,
                Int32.self,
                Int64.self,
                Int.self,
                Bool.self,
                Double.self,
                String.self,
                UUID.self,
                Date.self,
                [UInt8].self,
                JSONText.self,
                CalendarDay.self
            )
            #expect(row.0 == Int16.min)
            #expect(row.1 == Int32.min)
            #expect(row.2 == Int64.min)
            #expect(row.3 == Int.max)
            #expect(row.4)
            #expect(row.5 == Double.pi)
            #expect(row.6 == "Grüße 🎈")
            #expect(row.7 == id)
            #expect(row.8 == date)
            #expect(row.9 == [0, 255])
            #expect(row.10 == JSONText("{\"a\": 1}"))
            #expect(row.11 == day)
        }
    }

    @Test("the server reads our binary forms as we mean them")
    func serverAgrees() async throws {
        let day = try #require(CalendarDay(year: 1999, month: 12, day: 31))
        let date = Date(timeIntervalSince1970: 1_700_000_000.000001)
        try await withDatabase { pool in
            let rows = try await pool.query(
                """
                SELECT \(day)::text, \(date)::text, \([1, -2, 3])::text, \(["a\"b", "", "c,d"])::text, \([] as [Int])::text,
                    \(1.5e300)::text, \([true, false])::text, \([day])::text, \([0, 16] as [UInt8])::text
                """
            )
            let row = try (0..<9).map { try rows[0].decode($0, as: String.self) }
            #expect(row[0] == "1999-12-31")
            #expect(row[1] == "2023-11-14 22:13:20.000001+00")
            #expect(row[2] == "{1,-2,3}")
            #expect(row[3] == "{\"a\\\"b\",\"\",\"c,d\"}")
            #expect(row[4] == "{}")
            #expect(row[5] == "1.5e+300")
            #expect(row[6] == "{t,f}")
            #expect(row[7] == "{1999-12-31}")
            #expect(row[8] == "\\x0010")
        }
    }

    @Test("arrays come back in order")
    func arrays() async throws {
        let ids = (0..<100).map { _ in UUID() }
        let dates = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1e9)]
        try await withDatabase { pool in
            let rows = try await pool.query(
                """
                SELECT \(ids), \(dates), \([Int16](1...3)), \(["x", "ü"]), \([] as [String]), \([1.5, -0.0]),
                    \([Mood.sad, .happy]), ARRAY['{}'::jsonb]
                """
            )
            let row = try rows[0].decode(
                [UUID].self,
                [Date].self,
                [Int].self,
                [String].self,
                [String].self,
                [Double].self,
                [Mood].self,
                [JSONText].self
            )
            #expect(row.0 == ids)
            #expect(row.1 == dates)
            #expect(row.2 == [1, 2, 3])
            #expect(row.3 == ["x", "ü"])
            #expect(row.4 == [])
            #expect(row.5 == [1.5, 0])
            #expect(row.6 == [.sad, .happy])
            #expect(row.7 == [JSONText("{}")])
        }
    }

    @Test(
        "what does not fit is refused, with the column's name",
        arguments: [
            "SELECT NULL::int8 AS wrong", "SELECT 'x'::text AS wrong", "SELECT 1.5::numeric AS wrong",
            "SELECT 9223372036854775807::int8 AS wrong",
        ]
    )
    func mismatch(sql: String) async throws {
        try await withDatabase { pool in
            let rows = try await pool.query(Query(unsafe: sql))
            let error = try #require(throws: PostgresError.self) { try rows[0].decode(Int32.self) }
            #expect(error.code == .decoding)
            #expect(error.message.contains("wrong"))
        }
    }

    @Test("NULL needs an optional, in a column and in an array")
    func nulls() async throws {
        try await withDatabase { pool in
            let rows = try await pool.query("SELECT NULL::text, \(Int?.none), ARRAY[1, NULL]::int8[], \([[1]][0])")
            #expect(try rows[0].decode(0, as: String?.self) == nil)
            #expect(try rows[0].decode(1, as: Int?.self) == nil)
            #expect(throws: PostgresError.self) { try rows[0].decode(2, as: [Int].self) }
            #expect(throws: PostgresError.self) { try rows[0].decode(0, as: String.self) }
            #expect(try rows[0].decode(3, as: [Int]?.self) == [1])
        }
    }

    @Test("enumerations are their raw values, also those of the schema")
    func rawValues() async throws {
        try await withDatabase { pool in
            _ = try await pool.query("CREATE TYPE mood AS ENUM ('happy', 'sad', 'unheard')")
            let rows = try await pool.query(
                "SELECT \(Mood.sad), \(Rank.premium), 'sad'::mood, 'unheard'::mood, \(Mood?.none)"
            )
            #expect(try rows[0].decode(0, as: Mood.self) == .sad)
            #expect(try rows[0].decode(1, as: Rank.self) == .premium)
            #expect(try rows[0].decode(2, as: Mood.self) == .sad)
            #expect(throws: PostgresError.self) { try rows[0].decode(3, as: Mood.self) }
            #expect(try rows[0].decode(4, as: Mood?.self) == nil)
        }
    }

    @Test("columns are found by name, and asking for too few or too many fails")
    func columns() async throws {
        try await withDatabase { pool in
            let row = try await pool.query("SELECT 1::int8 AS id, 'x'::text AS \"Name\"")[0]
            #expect(try row.decode("id", as: Int.self) == 1)
            #expect(try row.decode("Name", as: String.self) == "x")
            #expect(throws: PostgresError.self) { try row.decode("name", as: String.self) }
            #expect(throws: PostgresError.self) { try row.decode(2, as: String.self) }
            #expect(throws: PostgresError.self) { try row.decode(Int.self) }
            #expect(throws: PostgresError.self) { try row.decode(Int.self, String.self, String.self) }
        }
    }

    @Test("a date keeps its microseconds over centuries")
    func microseconds() async throws {
        var generator = SystemRandomNumberGenerator()
        let dates = (0..<1000).map { _ in
            Date(
                timeIntervalSince1970: Double(
                    Int64.random(in: -2_000_000_000_000_000...4_000_000_000_000_000, using: &generator)
                ) / 1e6
            )
        }
        try await withDatabase { pool in
            let back = try await pool.query("SELECT d FROM unnest(\(dates)) WITH ORDINALITY AS t (d, n) ORDER BY n")
                .map { try $0.decode(Date.self) }
            for (date, same) in zip(dates, back) {
                #expect(abs(date.timeIntervalSince(same)) < 0.000_001)
                #expect(try await pool.query("SELECT \(same) = \(date)")[0].decode(Bool.self))
            }
        }
    }

    @Test(
        "a number that is too large for a narrower column fails the query, not the process",
        arguments: [Int.min, -32_769, 32_768, Int.max]
    )
    func narrow(_ number: Int) async throws {
        try await withDatabase { pool in
            for query in ["SELECT \(number, as: Int16.self)", "SELECT \([1, number], as: Int16.self)"] as [Query] {
                let error = await #expect(throws: PostgresError.self) { _ = try await pool.query(query) }
                #expect(error?.code == .encoding)
            }
            let rows = try await pool.query(
                "SELECT \(7, as: Int16.self), \(nil, as: Int32.self), \([1, 2], as: Int32.self)"
            )
            let row = try rows[0].decode(Int16.self, Int32?.self, [Int32].self)
            #expect(row == (7, nil, [1, 2]))
        }
    }

    @Test(
        "every date that can be written with four digits of a year can be kept",
        arguments: [(-62_135_596_800, "0001-01-01"), (253_402_300_799, "9999-12-31")] as [(TimeInterval, String)]
    )
    func fourDigits(_ seconds: TimeInterval, _ text: String) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        try await withDatabase { pool in
            let back = try await pool.query("SELECT \(date), to_char(\(date) AT TIME ZONE 'UTC', 'YYYY-MM-DD')")
            let row = try back[0].decode(Date.self, String.self)
            #expect(row.1 == text)
            #expect(abs(row.0.timeIntervalSince(date)) < 0.001)
        }
    }

    @Test("a date beyond timestamptz is refused before it is sent")
    func impossibleDate() async throws {
        try await withDatabase { pool in
            let error = await #expect(throws: PostgresError.self) {
                _ = try await pool.query("SELECT \(Date(timeIntervalSince1970: .infinity))")
            }
            #expect(error?.code == .encoding)
        }
    }
}
