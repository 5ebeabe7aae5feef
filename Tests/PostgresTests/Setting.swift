import Postgres
import TestSupport

/// A change to the configuration of a test's pool.
struct Setting {
    let apply: (inout PoolConfiguration) -> Void

    static func set<Value>(_ property: WritableKeyPath<PoolConfiguration, Value>, _ value: Value) -> Self {
        Self { $0[keyPath: property] = value }
    }
}

/// Runs `withDatabase` with these settings.
func withDatabase<Value>(_ settings: Setting..., body: (Pool) async throws -> Value) async throws -> Value {
    func configure(_ configuration: inout PoolConfiguration) {
        for setting in settings { setting.apply(&configuration) }
    }
    return try await withDatabase(configure: configure, body)
}
