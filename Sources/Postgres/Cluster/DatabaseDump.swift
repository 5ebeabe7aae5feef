import Foundation

/// Copies of one database in a file, by the programs of PostgreSQL: pg_dump(1) in its custom format, and pg_restore(1).
package enum DatabaseDump {
    /// Writes what a transaction sees of one schema to a file, without owners, privileges and extensions.
    ///
    /// - Parameters:
    ///   - admission: which servers will do; nil for any.
    ///   - snapshot: the result of `pg_export_snapshot()`; its transaction has to stay open.
    ///   - emptied: tables of the schema whose rows stay out.
    /// - Throws: `PostgresError` with `.cluster` when the programs are missing, older than the server, or fail.
    package static func write(
        _ database: String,
        admission: ServerAdmission? = nil,
        schema: String,
        snapshot: String,
        serverVersion: Int,
        emptied: [String] = [],
        to file: String
    ) async throws {
        let tools = try await onThread { try programs(atLeast: serverVersion) }
        let target = try await onThread { try DumpTarget(database, admission) }
        // These options take patterns, in which what is quoted stands for itself.
        let quoted = "\"\(schema.replacingOccurrences(of: "\"", with: "\"\""))\""
        let command = Command(
            path: tools.path(of: "pg_dump"),
            arguments: [
                "--format=custom", "--no-owner", "--no-privileges", "--no-password", "--snapshot=\(snapshot)",
                "--schema=\(quoted)", "--file=\(file)", "--dbname=\(target.connectionString)",
            ] + emptied.map { "--exclude-table-data=\(quoted).\"\($0)\"" },
            endsWithUs: "TERM",
            environment: target.environment
        )
        _ = try await command.run()
    }

    /// Fills the empty schema of a database from a file: all of it or nothing. The extensions that it needs have to be
    /// there.
    ///
    /// - Parameter admission: the servers that will do; nil for any.
    /// - Throws: `PostgresError` with `.cluster` when the programs are missing, older than the file, or fail.
    package static func read(
        _ file: String,
        into database: String,
        admission: ServerAdmission? = nil,
        schema: String,
        serverVersion: Int
    ) async throws {
        let tools = try await onThread { try programs(atLeast: serverVersion) }
        let target = try await onThread { try DumpTarget(database, admission) }
        let command = Command(
            path: tools.path(of: "pg_restore"),
            arguments: [
                "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--no-password",
                "--schema=\(schema)", "--dbname=\(target.connectionString)", file,
            ],
            endsWithUs: "TERM",
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

/// A database as it is passed to a program of PostgreSQL. Its password goes by the environment, which others cannot read.
private struct DumpTarget {
    let connectionString: String
    let environment: [String: String]

    /// Connects, and blocks, where the string names several hosts.
    init(_ connectionString: String, _ admission: ServerAdmission?) throws {
        var parameters = try ConnectionParameters.parse(connectionString)
        if let admission {
            for (keyword, value) in try Self.host(of: connectionString, admission) {
                parameters[keyword] = value
            }
        }
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

    /// Returns the settings that lead to the first of several hosts that is let in: the programs would take the first that
    /// answers.
    private static func host(
        of connectionString: String,
        _ admission: ServerAdmission
    ) throws(PostgresError) -> [(keyword: String, value: String)] {
        let parameters = PoolConfiguration(connectionString: connectionString).connectionParameters
        var refusal: PostgresError?
        for host in ConnectionParameters.hosts(of: connectionString) {
            do throws(PostgresError) {
                let connection = try PGConnection.open(parameters + host) { _ in }
                if let server = try ServerPosition.blocking(connection, within: .seconds(10)) {
                    try admission.admit(server)
                }
                return host
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        return []
    }

    private static func escaped(_ value: String) -> String {
        value.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'")
    }
}
