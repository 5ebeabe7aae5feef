package import Postgres

/// The facts by which two copies of a database are compared; a backup records those of its source.
package struct DatabaseFacts: Codable, Sendable, Equatable {
    /// The schema that the installation lives in, the first of the search path; empty when that leads to none.
    package var schema: String
    /// The extensions that its tables need, each with its own schema.
    package var extensions: [String: String]
    /// The names of the migrations that were applied, in order.
    package var migrations: [String]
    /// The number of rows in each table.
    package var rows: [String: Int64]
    /// The end of the audit chain as `perennial audit verify` prints it; nil before there was a chain.
    package var auditMark: String?
    /// Of the secret that opens what is sealed in it, in hexadecimal digits; nil while there is none.
    package var secretFingerprint: String?

    /// Tables whose rows belong to one server's log, which begins anew where a copy is restored: copies are without them.
    package static let ofOneLog = ["staff_writes"]

    /// Reads them within the transaction that the connection is in.
    package init(reading connection: Connection) async throws {
        schema = try await connection.query("SELECT coalesce(current_schema(), '')")[0].decode(String.self)
        extensions = try await Self.extensions(reading: connection)
        let found = try await connection.query(
            """
            SELECT tablename::text, quote_ident(schemaname) || '.' || quote_ident(tablename)
            FROM pg_tables
            WHERE schemaname = current_schema()
            ORDER BY 1
            """
        ).map { try $0.decode(String.self, String.self) }.filter { !Self.ofOneLog.contains($0.0) }
        rows = [:]
        for (_, name) in found {
            rows[name] = try await connection.query(Query(unsafe: "SELECT count(*) FROM \(name)"))[0].decode(Int64.self)
        }
        let tables = Set(found.map(\.0))
        migrations =
            tables.contains("schema_migrations")
            ? try await connection.query("SELECT name FROM schema_migrations ORDER BY name").map {
                try $0.decode(String.self)
            }
            : []
        auditMark =
            tables.contains("audit_head")
            ? try await connection.query("SELECT number || ':' || encode(hash, 'hex') FROM audit_head").first?
                .decode(0, as: String?.self) : nil
        secretFingerprint =
            tables.contains("installation")
            ? try await connection.query("SELECT encode(secret_fingerprint, 'hex') FROM installation").first?
                .decode(0, as: String?.self) : nil
    }

    /// The extensions whose parts, such as the operators of an index, the relations of the schema use.
    private static func extensions(reading connection: Connection) async throws -> [String: String] {
        let rows = try await connection.query(
            """
            SELECT DISTINCT e.extname::text, home.nspname::text
            FROM pg_namespace ours
            JOIN pg_class c ON c.relnamespace = ours.oid
            JOIN pg_depend used ON used.classid = 'pg_class'::regclass AND used.objid = c.oid
            JOIN pg_depend part ON part.classid = used.refclassid AND part.objid = used.refobjid AND part.deptype = 'e'
                AND part.refclassid = 'pg_extension'::regclass
            JOIN pg_extension e ON e.oid = part.refobjid
            JOIN pg_namespace home ON home.oid = e.extnamespace
            WHERE ours.nspname = current_schema()
            """
        )
        return try rows.reduce(into: [:]) { found, row in
            let (name, schema) = try row.decode(String.self, String.self)
            found[name] = schema
        }
    }

    /// The differences, in words; empty for two copies of one state.
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
    /// The name that `pg_export_snapshot()` returned.
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
    /// True if there is an installation to copy; counts nothing.
    package static func areThere(on pool: Pool) async throws -> Bool {
        try await pool.query(
            """
            SELECT EXISTS (
                SELECT FROM pg_namespace n
                JOIN pg_class c ON c.relnamespace = n.oid
                JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE n.nspname = current_schema() AND c.relname = 'schema_migrations' AND a.attname = 'checksum'
            )
            """
        )[0].decode(Bool.self)
    }

    /// The facts about the current state.
    package static func current(on pool: Pool) async throws -> Self {
        try await pool.withTransaction(at: .repeatableRead) { try await DatabaseFacts(reading: $0) }
    }
}
