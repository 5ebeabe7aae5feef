import Foundation

/// A variable `PERENNIAL_…` of the environment that nothing reads: most likely a misspelt setting.
package struct UnknownVariable: Sendable, Hashable, CustomStringConvertible {
    package var name: String
    /// The variable that was probably meant.
    package var nearest: String?

    package var description: String {
        "nothing reads \(name)" + (nearest.map { "; the nearest is \($0)" } ?? "")
    }

    /// Those of an environment, in the order of their names.
    package static func all(in environment: [String: String] = ProcessInfo.processInfo.environment) -> [UnknownVariable]
    {
        environment.keys.filter { $0.hasPrefix(prefix) && !known.contains($0) && !ofScripts.contains($0) }
            .sorted()
            .map { name in
                let nearest = NearestName.of(
                    String(name.dropFirst(prefix.count)),
                    among: known.map { String($0.dropFirst(prefix.count)) }
                )
                return UnknownVariable(name: name, nearest: nearest.map { prefix + $0 })
            }
    }

    private static let prefix = "PERENNIAL_"

    /// The variables that the program reads.
    private static let known: Set<String> = [
        "PERENNIAL_DATABASE_URL", "PERENNIAL_DEMO_PASSWORD", "PERENNIAL_HOST", "PERENNIAL_LOG_LEVEL",
        "PERENNIAL_METRICS_ADDRESS", "PERENNIAL_METRICS_TOKEN", "PERENNIAL_PG_BINDIR", "PERENNIAL_PORT",
        "PERENNIAL_PUBLIC_URL", "PERENNIAL_RATE_LIMITS", "PERENNIAL_READ_DATABASE_URL", "PERENNIAL_READ_MAX_AGE",
        "PERENNIAL_SECRET", "PERENNIAL_SHUTDOWN_SECONDS", "PERENNIAL_STATE", "PERENNIAL_STORE_PROXY",
        "PERENNIAL_TRUSTED_PROXIES", "PERENNIAL_TWO_FACTOR",
    ]

    /// The variables that the scripts in `bin/` and the tests read, and hand on to the programs that they start.
    private static let ofScripts: Set<String> = [
        "PERENNIAL_BINARY", "PERENNIAL_EVENTS", "PERENNIAL_EXAMPLES", "PERENNIAL_PYTHON", "PERENNIAL_REQUIRE_INTEROP",
        "PERENNIAL_SAMPLE", "PERENNIAL_SEARCH_CUSTOMERS", "PERENNIAL_TESTS", "PERENNIAL_TEST_FOLDER", "PERENNIAL_VENV",
    ]
}
