import TestSupport
import Testing

@testable import Postgres

/// Values that were stored or searched for carry a mark: errors go into logs, and must not repeat them.
@Suite("The text of an error", .timeLimit(.minutes(10)))
struct ErrorTextTests {
    private static let mark = "zqmark"
    private static let table = """
        CREATE TABLE notes (
            id int8 CONSTRAINT one_of_each PRIMARY KEY,
            text text CONSTRAINT a_note_is_short CHECK (length(text) < 5) NOT NULL,
            about int8 CONSTRAINT about_a_note REFERENCES notes,
            author text CONSTRAINT one_per_author UNIQUE
        )
        """

    @Test("a row that breaks a rule is not in it; the rule and the table are")
    func brokenRules() async throws {
        try await withDatabase { pool in
            _ = try await pool.query(Query(unsafe: Self.table))
            _ = try await pool.query("INSERT INTO notes VALUES (1, 'a', NULL, \(Self.mark))")
            let breaches: [(Query, SQLState, String)] = [
                ("INSERT INTO notes VALUES (2, \(Self.mark))", .checkViolation, "constraint: a_note_is_short"),
                ("INSERT INTO notes VALUES (2, NULL, NULL, \(Self.mark + "2"))", .notNullViolation, "column: text"),
                ("INSERT INTO notes VALUES (2, 'b', 1, \(Self.mark))", .uniqueViolation, "constraint: one_per_author"),
                ("INSERT INTO notes VALUES (2, 'b', 7, NULL)", .foreignKeyViolation, "constraint: about_a_note"),
            ]
            for (query, state, rule) in breaches {
                let error = await #expect(throws: PostgresError.self) { try await pool.query(query) }
                #expect(error?.sqlState == state && error?.detail != nil)
                let text = error.map { "\($0)" } ?? ""
                #expect(text.contains(rule) && text.contains("table: notes"), "\(text)")
                #expect(!text.contains(Self.mark) && !text.contains("detail"), "\(text)")
            }
        }
    }

    @Test("neither is it in an error that another one is the cause of")
    func causes() async throws {
        try await withDatabase { pool in
            _ = try await pool.query(Query(unsafe: Self.table))
            let cause = await #expect(throws: PostgresError.self) {
                try await pool.query("INSERT INTO notes VALUES (2, \(Self.mark))")
            }
            let outer = PostgresError(.migration, "it did not work", underlying: cause)
            #expect("\(outer)".contains("a_note_is_short") && !"\(outer)".contains(Self.mark))
        }
    }

    @Test(
        "a value that cannot be read is not in it",
        arguments: [("uuid", "zqmark"), ("int8", "a\"zqmark\"b"), ("jsonb", "{\"a\": zqmark}")]
    )
    func unreadable(_ type: String, _ value: String) async throws {
        try await withDatabase { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT \(value)::\(unsafe: type)")
            }
            #expect(error?.sqlState?.sqlClass == .dataException)
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("invalid input syntax for type") && !text.contains(Self.mark), "\(text)")
        }
    }

    @Test("what the server adds to any other error is")
    func otherDetails() {
        var error = PostgresError(.server(.deadlockDetected), "deadlock detected")
        error.detail = "Process 1 waits for process 2."
        #expect("\(error)".contains("detail: Process 1 waits for process 2."))
    }

    @Test("a file's query is shown with its binds, not with what they are")
    func copies() async throws {
        try await withDatabase { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection in
                    let query: Query = "SELECT 1 / 0 WHERE 'a' <> \(Self.mark)"
                    for try await _ in try await connection.copyOut(rows: query, options: "FORMAT csv") {}
                }
            }
            #expect(error?.queryText == "COPY (SELECT 1 / 0 WHERE 'a' <> $1) TO STDOUT WITH (FORMAT csv)")
            #expect(error.map { !"\($0)".contains(Self.mark) } == true)
        }
    }

    @Test("what a program of PostgreSQL says of a row is left out of what is shown of it")
    func programs() {
        let printed = """
            pg_restore: error: COPY failed for table "notes": ERROR:  duplicate key value violates "one_per_author"
            DETAIL:  Key (author)=(\(Self.mark)) already exists.
            CONTEXT:  COPY notes, line 1: "1 a \(Self.mark)
            of two lines with \(Self.mark)"
            pg_restore: warning: errors ignored on restore: 1
            """
        let shown = Command.withoutValues(printed, of: "pg_restore")
        #expect(shown.contains("one_per_author") && shown.contains("errors ignored") && !shown.contains(Self.mark))
    }
}
