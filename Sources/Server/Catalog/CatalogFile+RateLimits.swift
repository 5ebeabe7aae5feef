import Billing
import Operations

extension CatalogFile {
    /// Returns the app's own rate limits, where they differ from the installation's.
    func checkedRateLimits() throws -> [RateLimitPolicy: RateLimit] {
        var limits: [RateLimitPolicy: RateLimit] = [:]
        for (name, text) in (rateLimits ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let policy = RateLimitPolicy.ofApps.first(where: { $0.rawValue == name }) else {
                let names = RateLimitPolicy.ofApps.map(\.rawValue).joined(separator: ", ")
                throw invalid("rateLimits", "has \(names); not \(name.prefix(60))")
            }
            guard let limit = RateLimit(text) else {
                throw invalid(
                    "rateLimits.\(name)",
                    "is calls/seconds such as 600/60: 1 to \(RateLimit.mostCalls) calls in 1 to \(RateLimit.longestWindow) seconds"
                )
            }
            limits[policy] = limit
        }
        return limits
    }
}
