import Postgres

/// The rows of a template's tables, and the positions of its sequences.
struct StandingRows: Sendable {
    /// A script that puts the rows into empty tables, without their triggers.
    let script: String

    init(in pool: Pool) async throws {
        var statements: [String] = []
        for row in try await pool.query(Self.tables) {
            let (table, columns, parts) = try row.decode(String.self, String.self, String.self)
            let values = "SELECT string_agg(format('(%L::\(table))', r), ', ') FROM \(table) r"
            guard let rows = try await pool.query(Query(unsafe: values))[0].decode(String?.self) else { continue }
            statements.append(
                "INSERT INTO \(table) (\(columns)) OVERRIDING SYSTEM VALUE SELECT \(parts) FROM (VALUES \(rows)) AS v (r);"
            )
        }
        for row in try await pool.query(Self.sequences) { statements.append(try row.decode(String.self)) }
        script = statements.joined(separator: "\n")
    }

    /// Reads the tables that have rows, with their writable columns. The list of applied migrations stays as it is.
    private static let tables: Query = """
        SELECT c.oid::regclass::text, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
            string_agg('(r).' || quote_ident(a.attname), ', ' ORDER BY a.attnum)
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND pg_relation_size(c.oid) > 0
            AND c.relname <> 'schema_migrations'
        GROUP BY c.oid
        ORDER BY c.oid
        """

    private static let sequences: Query = """
        SELECT format('SELECT setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value)
        FROM pg_sequences
        WHERE last_value IS NOT NULL
        """
}
