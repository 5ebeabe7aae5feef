import Postgres
import Storage
import TestSupport
import Testing

@Suite("What a backup says of a database") struct DatabaseFactsTests {
    @Test("it is of the schema that the search path leads to, with the extensions that its tables need")
    func schema() async throws {
        try await withDatabase { pool in
            try await pool.withConnection { connection in
                try await connection.execute(
                    script: """
                        CREATE TABLE posts (id int8);
                        CREATE EXTENSION pg_trgm SCHEMA public;
                        CREATE SCHEMA ours;
                        CREATE TABLE ours.notes (text text);
                        CREATE INDEX ON ours.notes USING gin (text public.gin_trgm_ops);
                        INSERT INTO ours.notes VALUES ('a'), ('b');
                        """
                )
            }
            try await withPool(led(to: "ours", from: pool)) { ours in
                let facts = try await DatabaseFacts.current(on: ours)
                #expect(facts.schema == "ours")
                #expect(facts.rows == ["ours.notes": 2])
                #expect(facts.extensions == ["pg_trgm": "public"])
                #expect(try await !DatabaseFacts.areThere(on: ours))
            }
            #expect(try await DatabaseFacts.current(on: pool).rows == ["public.posts": 0])
        }
    }

    @Test("a database is restored to where its search path leads, and only while there is nothing")
    func target() async throws {
        try await withDatabase { pool in
            var facts = try await DatabaseFacts.current(on: pool)
            facts.schema = "our own"
            facts.extensions = ["pg_trgm": "our own"]
            let elsewhere = await #expect(throws: RestoreTarget.Unfit.self) {
                try await RestoreTarget.prepare(for: facts, on: pool)
            }
            #expect(elsewhere.map { "\($0)" }?.contains("public") == true)
            #expect(try await pool.query("SELECT FROM pg_namespace WHERE nspname = 'our own'").isEmpty)

            try await RestoreTarget.lead(pool, to: facts.schema)
            try await withPool(pool.configuration) { ours in
                try await RestoreTarget.prepare(for: facts, on: ours)
                let home = try await ours.query(
                    "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'pg_trgm'"
                )
                #expect(try home[0].decode(String.self) == #""our own""#)
                _ = try await ours.query("CREATE TABLE notes (id int8)")
                await #expect(throws: RestoreTarget.Unfit.self) {
                    try await RestoreTarget.prepare(for: facts, on: ours)
                }
                await #expect(throws: RestoreTarget.Unfit.self) {
                    try await RestoreTarget.look(at: facts.schema, on: ours)
                }
                await #expect(throws: RestoreTarget.Unfit.self) { try await RestoreTarget.lead(ours, to: "public") }
            }
        }
    }

    private func led(to schema: String, from pool: Pool) -> PoolConfiguration {
        var configuration = pool.configuration
        configuration.connectionString += " options='-csearch_path=\(schema)'"
        return configuration
    }
}
