package import Billing

/// The limits of the customer API by what they count; nil counts nothing.
package struct RateLimits: Sendable, Hashable {
    private var limits: [RateLimitPolicy: RateLimit]

    package subscript(_ policy: RateLimitPolicy) -> RateLimit? {
        get { limits[policy] }
        set { limits[policy] = newValue }
    }

    /// Roomy for an app that behaves: ten calls a second of one device, six receipts a minute.
    package static let standard = RateLimits(limits: [
        .session: RateLimit(checked: 600, 60),
        .customer: RateLimit(checked: 1_200, 60),
        .address: RateLimit(checked: 6_000, 60),
        .key: RateLimit(checked: 60_000, 60),
        .receipts: RateLimit(checked: 6, 60),
        .signIns: RateLimit(checked: 60, 60),
    ])
    package static let off = RateLimits(limits: [:])

    /// The differences from the standard: `customer=600/60, receipts=10/60, address=off`, or `off` for all.
    ///
    /// - Throws: `BadEntry` for the first part in another format.
    package init(_ text: String) throws(BadEntry) {
        self = .standard
        let entries = text.split { $0 == "," || $0.isWhitespace }
        if entries == ["off"] {
            self = .off
            return
        }
        for entry in entries {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let policy = RateLimitPolicy(rawValue: String(parts[0])) else {
                throw BadEntry(entry: String(entry.prefix(60)))
            }
            if parts[1] == "off" {
                self[policy] = nil
                continue
            }
            guard let limit = RateLimit(parts[1]) else { throw BadEntry(entry: String(entry.prefix(60))) }
            self[policy] = limit
        }
    }

    private init(limits: [RateLimitPolicy: RateLimit]) {
        self.limits = limits
    }

    /// A part that names no limit.
    package struct BadEntry: Error {
        package let entry: String
    }
}
