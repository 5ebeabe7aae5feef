import Foundation

/// Copies of one database in a file, by the programs of PostgreSQL: pg_dump(1) in its custom format, and pg_restore(1).
package enum DatabaseDump {
    /// Writes what a transaction sees to a file, without owners and privileges.
    ///
    /// - Parameter snapshot: what `pg_export_snapshot()` gave; its transaction has to stay open.
    /// - Throws: `PostgresError` with `.cluster` when the programs are missing, older than the server, or fail.
    package static func write(_ database: String, snapshot: String, serverVersion: Int, to file: String) async throws {
        let tools = try await onThread { try programs(atLeast: serverVersion) }
        let target = try DumpTarget(database)
        let command = Command(
            path: tools.path(of: "pg_dump"),
            arguments: [
                "--format=custom", "--no-owner", "--no-privileges", "--no-password", "--snapshot=\(snapshot)",
                "--file=\(file)", "--dbname=\(target.connectionString)",
            ],
            environment: target.environment
        )
        _ = try await command.run()
    }

    /// Fills an empty database from a file: all of it or nothing.
    ///
    /// - Throws: `PostgresError` with `.cluster` when the programs are missing, older than the file, or fail.
    package static func read(_ file: String, into database: String, serverVersion: Int) async throws {
        let tools = try await onThread { try programs(atLeast: serverVersion) }
        let target = try DumpTarget(database)
        let command = Command(
            path: tools.path(of: "pg_restore"),
            arguments: [
                "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-password",
                "--dbname=\(target.connectionString)", file,
            ],
            environment: target.environment
        )
        _ = try await command.run()
    }

    private static func programs(atLeast version: Int) throws -> ClusterTools {
        let found = try ClusterTools.all()
        let fitting = found.filter { tools in
            tools.version >= version
                && ["pg_dump", "pg_restore"].allSatisfy {
                    FileManager.default.isExecutableFile(atPath: tools.path(of: $0))
                }
        }
        guard let tools = fitting.min(by: { $0.version < $1.version }) else {
            throw PostgresError(
                .cluster,
                "the server is PostgreSQL \(version), and there is no pg_dump of that version or a newer one here: install "
                    + "it (Debian: postgresql-client-\(version) and postgresql-\(version)) or name its directory in PERENNIAL_PG_BINDIR"
            )
        }
        return tools
    }
}

/// A database as a program of PostgreSQL is told of it: a password goes by the environment, which others cannot read.
private struct DumpTarget {
    let connectionString: String
    let environment: [String: String]

    init(_ connectionString: String) throws {
        var parameters = try ConnectionParameters.parse(connectionString)
        // libpq's own variables hold for its programs as they do for us.
        var environment = ProcessInfo.processInfo.environment.filter { name, _ in
            name.hasPrefix("PG") || ["HOME", "PATH", "KRB5CCNAME"].contains(name)
        }
        environment["LC_ALL"] = "C"
        if let password = parameters.removeValue(forKey: "password") { environment["PGPASSWORD"] = password }
        self.environment = environment
        self.connectionString = parameters.sorted { $0.key < $1.key }
            .map { "\($0.key)='\(Self.escaped($0.value))'" }
            .joined(separator: " ")
    }

    private static func escaped(_ value: String) -> String {
        value.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'")
    }
}
