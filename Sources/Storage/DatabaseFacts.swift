package import Postgres

/// What two copies of a database have in common when they are the same, and what a backup says of the one it was made of.
package struct DatabaseFacts: Codable, Sendable, Equatable {
    /// The names of the migrations that were applied, in order.
    package var migrations: [String]
    /// How many rows each table has.
    package var rows: [String: Int64]
    /// The end of the audit chain as `perennial audit verify` prints it; nil before there was a chain.
    package var auditMark: String?
    /// Of the secret that opens what is sealed in it, in hexadecimal digits; nil while there is none.
    package var secretFingerprint: String?

    /// Reads them within the transaction that the connection is in.
    package init(reading connection: Connection) async throws {
        let names = try await connection.query(
            """
            SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables
            WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND schemaname NOT LIKE 'pg_temp%' ORDER BY 1
            """
        ).map { try $0.decode(String.self) }
        rows = [:]
        for name in names {
            rows[name] = try await connection.query(Query(unsafe: "SELECT count(*) FROM \(name)"))[0].decode(Int64.self)
        }
        let tables = Set(names)
        migrations =
            tables.contains("public.schema_migrations")
            ? try await connection.query("SELECT name FROM schema_migrations ORDER BY name").map {
                try $0.decode(String.self)
            }
            : []
        auditMark =
            tables.contains("public.audit_head")
            ? try await connection.query("SELECT number || ':' || encode(hash, 'hex') FROM audit_head").first?
                .decode(0, as: String?.self) : nil
        secretFingerprint =
            tables.contains("public.installation")
            ? try await connection.query("SELECT encode(secret_fingerprint, 'hex') FROM installation").first?
                .decode(0, as: String?.self) : nil
    }

    /// What differs, in words; empty for two copies of one state.
    package func differences(from other: Self) -> [String] {
        var found: [String] = []
        if migrations != other.migrations { found.append("the migrations") }
        if auditMark != other.auditMark { found.append("the end of the audit log") }
        if secretFingerprint != other.secretFingerprint { found.append("the secret's fingerprint") }
        for name in Set(rows.keys).union(other.rows.keys).sorted() where rows[name] != other.rows[name] {
            let (ours, theirs) = (
                rows[name].map(String.init) ?? "no table", other.rows[name].map(String.init) ?? "no table"
            )
            found.append("\(name) (\(ours), not \(theirs))")
        }
        return found
    }
}

/// A state of a database that stays readable while a transaction is open, also for other programs.
package struct DatabaseSnapshot: Sendable {
    /// What `pg_export_snapshot()` calls it.
    package let name: String
    /// The server's major version.
    package let serverVersion: Int
    package let facts: DatabaseFacts

    /// Lends a snapshot for as long as `body` takes, which may be hours.
    package static func hold<R: Sendable>(on pool: Pool, _ body: (Self) async throws -> R) async throws -> R {
        try await pool.withTransaction(at: .repeatableRead) { connection in
            _ = try await connection.query("SET LOCAL idle_in_transaction_session_timeout = 0")
            let row = try await connection.query(
                "SELECT pg_export_snapshot(), current_setting('server_version_num')::integer / 10000"
            )[0]
            let (name, version) = try row.decode(String.self, Int32.self)
            let facts = try await DatabaseFacts(reading: connection)
            return try await body(Self(name: name, serverVersion: Int(version), facts: facts))
        }
    }
}

extension DatabaseFacts {
    /// Of what is there now.
    package static func current(on pool: Pool) async throws -> Self {
        try await pool.withTransaction(at: .repeatableRead) { try await DatabaseFacts(reading: $0) }
    }
}
