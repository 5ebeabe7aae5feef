import Foundation
package import Logging

/// Brings a database's schema forward: each migration once, in the order of the names, each in its own transaction.
///
/// Two servers that start at once take turns; where nothing is to do nobody waits. `schema_migrations` remembers the migrations
/// that have been applied.
package struct Migrator: Sendable {
    /// One step of the schema: SQL without BEGIN and COMMIT, never changed once it was applied anywhere.
    package struct Migration: Sendable, Hashable {
        package let name: String
        package let sql: String

        package init(name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    /// A migration as the database remembers it.
    struct Applied: Hashable {
        let name: String
        let checksum: String
    }

    package let migrations: [Migration]

    package init(_ migrations: [Migration]) {
        self.migrations = migrations.sorted { $0.name < $1.name }
    }

    /// Reads the `.sql` files of a directory; a migration is called as its file is, without the ending.
    package init(directory: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        self.init(
            try names.filter { $0.hasSuffix(".sql") }
                .map { name in
                    let text = try String(contentsOfFile: directory + "/" + name, encoding: .utf8)
                    return Migration(name: String(name.dropLast(4)), sql: text)
                }
        )
    }

    /// Applies what is missing and returns its names.
    ///
    /// - Parameter patience: the longest that another migrator may keep its turn.
    package func run(on pool: Pool, logger: Logger, patience: Duration = .seconds(60)) async throws -> [String] {
        guard try await !pending(on: pool).isEmpty else { return [] }
        return try await pool.withConnection { connection in
            let turn = MigrationTurn(connection: connection, logger: logger)
            let result: Result<[String], any Error>
            do {
                try await turn.take(patience: patience)
                result = .success(try await apply(on: connection, logger: logger))
            } catch {
                result = .failure(error)
            }
            await turn.end()
            return try result.get()
        }
    }

    /// Returns true if the database has any of the migrations; creates nothing in it.
    package func hasBegun(on pool: Pool) async throws -> Bool {
        try await pending(on: pool).count < migrations.count
    }

    /// The names of what `run` would apply.
    package func pending(on pool: Pool) async throws -> [String] {
        try await pool.withConnection { connection in
            try await checkOwner(of: connection)
            guard try await hasTable(connection) else { return migrations.map(\.name) }
            return try Self.plan(migrations, applied: try await applied(on: connection)).map(\.name)
        }
    }

    /// Returns the migrations that are still to be applied; throws when the database does not fit.
    static func plan(_ migrations: [Migration], applied: [Applied]) throws -> [Migration] {
        let known = Dictionary(migrations.map { ($0.name, $0) }) { first, _ in first }
        guard known.count == migrations.count else {
            throw PostgresError(.migration, "two migrations have the same name")
        }
        for past in applied {
            guard let migration = known[past.name] else {
                throw PostgresError(
                    .migration,
                    "the database has the migration \(past.name), which this program does not know: the database is newer"
                )
            }
            guard migration.checksum == past.checksum else {
                throw PostgresError(
                    .migration,
                    "the migration \(past.name) has changed since it was applied; restore it and add a new one instead"
                )
            }
        }
        let done = Set(applied.map(\.name))
        let pending = migrations.filter { !done.contains($0.name) }
        if let first = pending.first, let last = done.max(), first.name < last {
            throw PostgresError(
                .migration,
                "the migration \(first.name) comes before \(last), which has been applied; give it a later name"
            )
        }
        return pending
    }

    /// In words for the operator; the statement is ours, and of no use to them.
    private static func failure(of migration: Migration, _ error: any Error) -> PostgresError {
        let cause = error as? PostgresError
        var failure = PostgresError(
            .migration,
            "the migration \(migration.name) failed, and the schema is as it was before it: "
                + "\(cause?.message ?? "\(error)"). \(mend(cause?.sqlState))",
            underlying: error
        )
        failure.sqlState = cause?.sqlState
        return failure
    }

    private static func mend(_ state: SQLState?) -> String {
        switch state {
        case SQLState.insufficientPrivilege:
            "Make the role of the connection string the owner of the schema and its tables"
        case SQLState.diskFull: "Make room on the database's disk, and start again"
        case SQLState.readOnlySQLTransaction:
            "Let the role and the database write (default_transaction_read_only = off)"
        case SQLState.lockNotAvailable, SQLState.queryCanceled, SQLState.deadlockDetected:
            "End what holds the tables (pg_stat_activity), and start again"
        case SQLState.duplicateTable, SQLState.duplicateObject, SQLState.undefinedTable, SQLState.undefinedColumn:
            "Somebody has changed the schema by hand: put it back as sql/schema.sql of the version before has it"
        default: "Start again; if it fails once more, go back to the version before and report this line"
        }
    }

    /// Throws for a schema that something else than us has filled, before anything is made in it.
    private func checkOwner(of connection: Connection) async throws {
        let found = try await connection.query(
            """
            SELECT current_database(), current_schema(),
                (
                    SELECT array_agg(a.attname::text)
                    FROM pg_attribute a
                    JOIN pg_class c ON c.oid = a.attrelid
                    WHERE c.relname = 'schema_migrations' AND c.relnamespace = n.oid AND a.attnum > 0
                ),
                (
                    SELECT min(c.relname::text)
                    FROM pg_class c
                    WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
                        AND NOT EXISTS (
                            SELECT FROM pg_depend d
                            WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
                        )
                )
            FROM (SELECT 1) AS one
            LEFT JOIN pg_namespace n ON n.nspname = current_schema()
            """
        )[0]
        let (database, schema, columns, relation) = try found.decode(
            String.self,
            String?.self,
            [String]?.self,
            String?.self
        )
        guard let schema else {
            throw PostgresError(
                .migration,
                "the database \(database) has no schema to work in: create one that the role owns and that its search_path names"
            )
        }
        guard let relation else { return }
        if let columns, Set(columns).isSuperset(of: ["name", "checksum", "applied_at"]) { return }
        throw PostgresError(
            .migration,
            "the schema \(schema) of the database \(database) belongs to another program (it has \(columns == nil ? relation : "a schema_migrations of its own")), "
                + "and nothing was changed in it: give Perennial a database of its own (createdb perennial), or a schema of its own "
                + "that the role's search_path names"
        )
    }

    private func apply(on connection: Connection, logger: Logger) async throws -> [String] {
        try await checkOwner(of: connection)
        if try await !hasTable(connection) { try await makeTable(connection) }
        let pending = try Self.plan(migrations, applied: try await applied(on: connection))
        for migration in pending {
            logger.info("applying migration \(migration.name)")
            do {
                try await connection.withTransaction { connection in
                    try await connection.execute(script: migration.sql)
                    _ = try await connection.query(
                        """
                        INSERT INTO schema_migrations (name, checksum)
                        VALUES (\(migration.name), \(migration.checksum))
                        """
                    )
                }
            } catch {
                throw Self.failure(of: migration, error)
            }
        }
        return pending.map(\.name)
    }

    /// Another schema of the search path may have a table of that name, which is not ours.
    private func hasTable(_ connection: Connection) async throws -> Bool {
        let rows = try await connection.query(
            "SELECT to_regclass(format('%I.schema_migrations', current_schema())) IS NOT NULL"
        )
        return try rows[0].decode(0, as: Bool.self)
    }

    private func makeTable(_ connection: Connection) async throws {
        do {
            _ = try await connection.query(
                """
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    name text PRIMARY KEY,
                    checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now()
                )
                """
            )
        } catch let error as PostgresError
            where error.sqlState == .insufficientPrivilege || error.sqlState == .readOnlySQLTransaction
        {
            throw PostgresError(
                .migration,
                "the schema cannot be changed: \(error.message). \(Self.mend(error.sqlState))",
                underlying: error
            )
        }
    }

    private func applied(on connection: Connection) async throws -> [Applied] {
        try await connection.query("SELECT name, checksum FROM schema_migrations ORDER BY name").map { row in
            let (name, checksum) = try row.decode(String.self, String.self)
            return Applied(name: name, checksum: checksum)
        }
    }
}

extension Migrator.Migration {
    /// Tells a changed text from the one that was applied: FNV-1a over its bytes.
    var checksum: String {
        let hash = sql.utf8.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return String(hash, radix: 16)
    }
}
