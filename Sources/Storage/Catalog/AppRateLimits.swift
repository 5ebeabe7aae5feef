package import Billing
import Postgres

extension Reader {
    /// Of every app that has limits of its own.
    func rateLimits() async throws -> [App.ID: [RateLimitPolicy: RateLimit]] {
        var limits: [App.ID: [RateLimitPolicy: RateLimit]] = [:]
        for row in try await query("SELECT app_id, policy, calls, seconds FROM app_rate_limits") {
            let (app, policy, calls, seconds) = try row.decode(
                App.ID.self,
                RateLimitPolicy.self,
                Int64.self,
                Int64.self
            )
            limits[app, default: [:]][policy] = RateLimit(calls: calls, seconds: seconds)
        }
        return limits
    }
}

extension CatalogWrites {
    /// Makes an app's limits of its own equal to these.
    package func save(rateLimits limits: [RateLimitPolicy: RateLimit], of app: App.ID) async throws {
        try await transaction.query("DELETE FROM app_rate_limits WHERE app_id = \(app)")
        for (policy, limit) in limits.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            try await transaction.query(
                """
                INSERT INTO app_rate_limits (app_id, policy, calls, seconds)
                VALUES (\(app), \(policy), \(limit.calls), \(limit.seconds))
                """
            )
        }
    }

    func readRateLimits(into stored: inout StoredCatalog) async throws {
        let rows = try await transaction.query(
            "SELECT policy, calls, seconds FROM app_rate_limits WHERE app_id = \(stored.app)"
        )
        for row in rows {
            let (policy, calls, seconds) = try row.decode(RateLimitPolicy.self, Int64.self, Int64.self)
            stored.catalog.rateLimits[policy] = RateLimit(calls: calls, seconds: seconds)
        }
    }
}

extension RateLimitPolicy: PostgresEncodable, PostgresDecodable {}
