package import Billing

/// A caller's state within one limit.
package struct RateLimitState: Sendable, Hashable {
    package let policy: RateLimitPolicy
    package let limit: RateLimit
    /// The remaining calls, as far as the server knows.
    package let left: Int64
    /// Microseconds until the next call; nil if one is available.
    let wait: Int64?
    /// The time at which the token was leased; distinguishes one lease from the next.
    let instant: ContinuousClock.Instant

    /// Seconds, rounded up, until the next call; 1 at least, so that nobody returns at once.
    package var secondsUntilNext: Int { Int(clamping: max(1, ((wait ?? 0) + 999_999) / 1_000_000)) }

    /// Seconds, rounded up, until all calls of the limit are available, or until the next one if there is none.
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
