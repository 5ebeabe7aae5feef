package import Postgres

/// The database that a backup is restored to.
package enum RestoreTarget {
    /// The reason why nothing can be restored to a database.
    package enum Unfit: Error {
        /// There are tables in the schema.
        case notEmpty
        /// The search path leads to another schema than the backup's, or to none.
        case elsewhere(String?)
    }

    /// Makes the schema and the extensions where they are missing; pg_dump takes them for granted.
    ///
    /// - Throws: `Unfit`; then nothing was made.
    package static func prepare(for facts: DatabaseFacts, on pool: Pool) async throws {
        try await pool.withTransaction { connection in
            try await makeSchema(facts.schema, on: connection)
            let here = try await connection.query("SELECT current_schema()")[0].decode(String?.self)
            guard here == facts.schema else { throw Unfit.elsewhere(here) }
            guard try await connection.query(tables(in: facts.schema)).isEmpty else { throw Unfit.notEmpty }
            for (name, schema) in facts.extensions.sorted(by: { $0.key < $1.key }) {
                try await makeSchema(schema, on: connection)
                _ = try await connection.query(
                    Query(unsafe: "CREATE EXTENSION IF NOT EXISTS \(quoted(name)) SCHEMA \(quoted(schema))")
                )
            }
        }
    }

    /// Looks whether a schema is empty, and changes nothing.
    ///
    /// - Throws: `Unfit` when it is not.
    package static func look(at schema: String, on pool: Pool) async throws {
        guard try await pool.query(tables(in: schema)).isEmpty else { throw Unfit.notEmpty }
    }

    /// Leads the search path of a database of our own to the backup's schema, for connections that are opened from now on.
    ///
    /// - Throws: `Unfit` when it leads to tables now.
    package static func lead(_ pool: Pool, to schema: String) async throws {
        let row = try await pool.query("SELECT current_database(), current_schema()")[0]
        let (database, here) = try row.decode(String.self, String?.self)
        guard here != schema else { return }
        if let here { try await look(at: here, on: pool) }
        _ = try await pool.query(
            Query(unsafe: "ALTER DATABASE \(quoted(database)) SET search_path = \(quoted(schema))")
        )
    }

    private static func tables(in schema: String) -> Query {
        "SELECT FROM pg_tables WHERE schemaname = \(schema) LIMIT 1"
    }

    /// A role without the right to create schemas may still restore to an existing one.
    private static func makeSchema(_ name: String, on connection: Connection) async throws {
        let found = try await connection.query("SELECT FROM pg_namespace WHERE nspname = \(name)")
        guard found.isEmpty else { return }
        _ = try await connection.query(Query(unsafe: "CREATE SCHEMA \(quoted(name))"))
    }

    private static func quoted(_ name: String) -> String {
        // By scalars: a quotation mark with an accent on it is another character, and still ends the name.
        let inside = name.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"\(String(String.UnicodeScalarView(inside)))\""
    }
}
