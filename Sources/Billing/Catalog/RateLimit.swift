/// A rate limit: a token bucket of `calls` tokens that refills in `seconds`.
package struct RateLimit: Sendable, Hashable {
    /// At once, and in the long run in `seconds`.
    package let calls: Int64
    package let seconds: Int64

    package static let mostCalls: Int64 = 1_000_000
    package static let longestWindow: Int64 = 86_400

    /// nil for less than one call, more than a million, or a window that is not a second to a day.
    package init?(calls: Int64, seconds: Int64) {
        guard (1...Self.mostCalls).contains(calls), (1...Self.longestWindow).contains(seconds) else { return nil }
        self.init(checked: calls, seconds)
    }

    /// `600/60`: 600 calls in 60 seconds; nil for what is none of that.
    package init?(_ text: some StringProtocol) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2,
            let calls = Int64(numbers[0]),  // safe: reads text
            let seconds = Int64(numbers[1])  // safe: reads text
        else { return nil }
        self.init(calls: calls, seconds: seconds)
    }

    /// For limits that the program itself has; both are within their bounds.
    package init(checked calls: Int64, _ seconds: Int64) {
        (self.calls, self.seconds) = (calls, seconds)
    }

    /// Microseconds in which one token comes back; rounded up, so that the limit is never passed.
    package var interval: Int64 {
        // safe: both are bounded
        (seconds * 1_000_000 + calls - 1) / calls
    }
}

/// The subject that is counted. The raw values are the names in settings, catalogues and header fields.
package enum RateLimitPolicy: String, Sendable, CaseIterable {
    /// The calls of one sign-in, or of one token that was minted.
    case session
    /// The calls of one customer, with whatever tokens.
    case customer
    /// The calls from one IPv4 address, or one IPv6 network of 64 bits.
    case address
    /// The calls of an app's own server with one secret key.
    case key
    /// Proofs of purchase that one customer sends.
    case receipts
    /// Sign-ins and refreshed tokens from one address.
    case signIns = "sign-ins"

    /// Those that an app can have limits of its own for. Whose an address is nobody knows.
    package static let ofApps: [RateLimitPolicy] = [.session, .customer, .key, .receipts]

    /// True if a server leases a tenth of the bucket at a time and counts in memory. The others are counted in the database call by call:
    /// such calls are few, and each is valuable to somebody who guesses or replays.
    package var isLent: Bool {
        switch self {
        case .session, .customer, .address, .key: true
        case .receipts, .signIns: false
        }
    }
}
