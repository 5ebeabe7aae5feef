import Foundation

/// The programs of an installed PostgreSQL.
struct ClusterTools: Sendable, Equatable {
    let directory: String
    /// The major version, such as 15.
    let version: Int

    func path(of tool: String) -> String { directory + "/" + tool }

    /// The programs for a cluster: of its own version when it has one, else the first there are. Looks in
    /// `PERENNIAL_PG_BINDIR` and nowhere else when that is set; otherwise asks `pg_config`, then looks where Debian and
    /// Homebrew put them, newest first.
    ///
    /// - Parameter version: the major version of the data; nil when the data is still to be made.
    /// - Throws: `PostgresError` with `.cluster` that says what is missing and how to get it.
    static func find(
        version: Int? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Self {
        let found = try all(environment: environment)
        guard let version else { return found[0] }
        guard let fitting = found.first(where: { $0.version == version }) else {
            throw PostgresError(.cluster, missing(version, found))
        }
        return fitting
    }

    /// All that `find` chooses from, at least one.
    static func all(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> [Self] {
        if let named = environment["PERENNIAL_PG_BINDIR"], !named.isEmpty {
            guard let tools = Self(in: named) else {
                throw PostgresError(.cluster, "PERENNIAL_PG_BINDIR is \(named), where there is no initdb and postgres")
            }
            return [tools]
        }
        let found = ([fromConfig(environment)].compactMap(\.self) + installed).compactMap { Self(in: $0) }
        guard !found.isEmpty else {
            throw PostgresError(
                .cluster,
                "PostgreSQL is not installed: on Debian `apt install postgresql`, on macOS `brew install postgresql@17`, "
                    + "or name its programs' directory in PERENNIAL_PG_BINDIR"
            )
        }
        return found
    }

    private static func missing(_ version: Int, _ found: [Self]) -> String {
        let there = found.map { "\($0.version) in \($0.directory)" }.joined(separator: ", ")
        return
            "the data is of PostgreSQL \(version), whose programs are not here (found: \(there)): install them (Debian: "
            + "postgresql-\(version)) or name their directory in PERENNIAL_PG_BINDIR; with those of a newer version beside "
            + "them `perennial upgrade-cluster` brings the data forward"
    }

    /// Nil when the directory does not hold the programs.
    private init?(in directory: String) {
        let isComplete = ["initdb", "postgres"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: directory + "/" + $0)
        }
        guard isComplete,
            let output = try? Command(path: directory + "/postgres", arguments: ["--version"]).runBlocking(),
            let version = Self.majorVersion(in: output)
        else { return nil }
        (self.directory, self.version) = (directory, version)
    }

    /// The 15 of `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`, also of `17beta1`.
    static func majorVersion(in text: String) -> Int? {
        guard let number = text.split(separator: " ").first(where: { $0.first?.isNumber == true }) else { return nil }
        return Int(number.prefix(while: \.isNumber))
    }

    private static func fromConfig(_ environment: [String: String]) -> String? {
        let paths = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard
            let tool = paths.map({ $0 + "/pg_config" }).first(where: FileManager.default.isExecutableFile(atPath:)),
            let output = try? Command(path: tool, arguments: ["--bindir"]).runBlocking()
        else { return nil }
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Newest version first.
    private static var installed: [String] {
        let debian = versions(in: "/usr/lib/postgresql") { "/usr/lib/postgresql/\($0)/bin" }
        let homebrew = ["/opt/homebrew/opt", "/usr/local/opt"].flatMap { root in
            versions(in: root, prefix: "postgresql@") { "\(root)/postgresql@\($0)/bin" } + ["\(root)/postgresql/bin"]
        }
        return debian + homebrew
    }

    private static func versions(in root: String, prefix: String = "", path: (Int) -> String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted(by: >)
            .map(path)
    }
}
