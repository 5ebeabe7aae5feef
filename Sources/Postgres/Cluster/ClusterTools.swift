import Foundation

/// The programs of an installed PostgreSQL.
struct ClusterTools: Sendable {
    let directory: String

    /// Looks in `PERENNIAL_PG_BINDIR`, then asks `pg_config`, then looks where Debian and Homebrew put them.
    static func find(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> Self {
        if let named = environment["PERENNIAL_PG_BINDIR"], !named.isEmpty {
            guard isComplete(named) else {
                throw PostgresError(.cluster, "PERENNIAL_PG_BINDIR is \(named), where there is no initdb and postgres")
            }
            return Self(directory: named)
        }
        let candidates = [fromConfig(environment)].compactMap(\.self) + installed
        guard let found = candidates.first(where: isComplete) else {
            throw PostgresError(
                .cluster,
                "PostgreSQL is not installed: on Debian `apt install postgresql`, on macOS `brew install postgresql@17`, "
                    + "or name its programs' directory in PERENNIAL_PG_BINDIR"
            )
        }
        return Self(directory: found)
    }

    func path(of tool: String) -> String { directory + "/" + tool }

    private static func isComplete(_ directory: String) -> Bool {
        ["initdb", "postgres"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: directory + "/" + $0)
        }
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
