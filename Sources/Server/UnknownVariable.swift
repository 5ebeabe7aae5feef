import Foundation

/// A variable `PERENNIAL_…` of the environment that nothing reads: most likely a misspelt setting.
package struct UnknownVariable: Sendable, Hashable, CustomStringConvertible {
    package var name: String
    /// The variable that was probably meant.
    package var nearest: String?

    package var description: String {
        "nothing reads \(name)" + (nearest.map { "; the nearest is \($0)" } ?? "")
    }

    /// Those of an environment, in the order of their names. A name in another case, or with another beginning that is near, is one, too:
    /// `perennial_port`, `PERENIAL_PORT`.
    package static func all(in environment: [String: String] = ProcessInfo.processInfo.environment) -> [UnknownVariable]
    {
        let settings = known.map { String($0.dropFirst(prefix.count)) }
        return environment.keys.filter { !known.contains($0) && !ofScripts.contains($0) }.sorted().compactMap { name in
            guard let rest = setting(of: name) else { return nil }
            let nearest = NearestName.of(rest, among: settings)
            return UnknownVariable(name: name, nearest: nearest.map { prefix + $0 })
        }
    }

    /// The part of a name behind `PERENNIAL_`, or behind a beginning that is one or two letters from it; nil for anybody else's variable.
    private static func setting(of name: String) -> String? {
        let head = name.prefix { $0.isLetter }
        guard head.first?.uppercased() == "P", let separator = name.dropFirst(head.count).first,
            "_-.".contains(separator), NearestName.distance(head.uppercased(), Self.head) <= 2
        else { return nil }
        return String(name.dropFirst(head.count + 1))
    }

    private static let head = "PERENNIAL"
    private static let prefix = "PERENNIAL_"

    /// The variables that the program reads.
    private static let known: Set<String> = [
        "PERENNIAL_DATABASE_URL", "PERENNIAL_DEMO_PASSWORD", "PERENNIAL_HOST", "PERENNIAL_LOG_LEVEL",
        "PERENNIAL_METRICS_ADDRESS", "PERENNIAL_METRICS_TOKEN", "PERENNIAL_PATIENCE", "PERENNIAL_PG_BINDIR",
        "PERENNIAL_PORT", "PERENNIAL_PUBLIC_URL", "PERENNIAL_RATE_LIMITS", "PERENNIAL_READ_DATABASE_URL",
        "PERENNIAL_READ_MAX_AGE", "PERENNIAL_SECRET", "PERENNIAL_SHUTDOWN_SECONDS", "PERENNIAL_STATE",
        "PERENNIAL_STORE_PROXY", "PERENNIAL_TRUSTED_PROXIES", "PERENNIAL_TWO_FACTOR",
    ]

    /// The variables that the scripts in `bin/` and the tests read, and hand on to the programs that they start.
    private static let ofScripts: Set<String> = [
        "PERENNIAL_BINARY", "PERENNIAL_EVENTS", "PERENNIAL_EXAMPLES", "PERENNIAL_PYTHON", "PERENNIAL_REQUIRE_INTEROP",
        "PERENNIAL_SAMPLE", "PERENNIAL_SEARCH_CUSTOMERS", "PERENNIAL_TESTS", "PERENNIAL_TEST_FOLDER", "PERENNIAL_VENV",
    ]
}
