package import Billing

/// Where a caller stands with one limit.
package struct RateLimitState: Sendable, Hashable {
    package let policy: RateLimitPolicy
    package let limit: RateLimit
    /// Calls, as far as the server knows.
    package let left: Int64
    /// Microseconds until there is one again; nil where there is.
    let wait: Int64?
    /// When the token was lent; tells one lease from the next.
    let instant: ContinuousClock.Instant

    /// Seconds, rounded up, until there is a call again; 1 at least, so that nobody comes back at once.
    package var secondsUntilNext: Int { Int(clamping: max(1, ((wait ?? 0) + 999_999) / 1_000_000)) }

    /// Seconds, rounded up, until all calls of the limit are there, or until the next one where there is none.
    package var secondsUntilReset: Int {
        guard wait == nil else { return secondsUntilNext }
        // safe: both are bounded
        return Int(clamping: ((limit.calls - left) * limit.interval + 999_999) / 1_000_000)
    }
}

/// Somebody has called too often.
package struct RateLimitExceeded: Error {
    /// The last one is empty.
    package let states: [RateLimitState]
    /// Seconds after which a call gets through, where nobody else takes the token.
    package let retryAfter: Int
}
