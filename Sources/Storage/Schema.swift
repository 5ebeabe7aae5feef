package import Postgres

/// The schema that this program works with, as it is embedded from `sql/migrations`.
package enum Schema {
    package static var migrator: Migrator {
        Migrator(EmbeddedFiles.migrations.map { Migrator.Migration(name: String($0.name.dropLast(4)), sql: $0.text) })
    }
}

extension Database {
    /// True if the primary answers and has every migration that this program knows.
    package func isReady(timeout: Duration? = nil) async throws -> Bool {
        let known = Schema.migrator.migrations.map(\.name)
        let rows = try await writeAlone(
            "SELECT count(*) FROM schema_migrations WHERE name = ANY(\(known))",
            timeout: timeout
        )
        return try rows.first?.decode(0, as: Int.self) == known.count
    }
}
