/// A metric of the service itself, with its target. Raw values stand in addresses and in JSON.
package enum HealthMetric: String, Hashable, Sendable, CaseIterable {
    /// Staff who were let in, of all tries to sign in.
    case signIns = "sign-ins"
    /// Charges that succeeded, of all that the store tried.
    case payments
    /// How long answers took.
    case answers
    /// From the store's signature to applied.
    case synced
    /// From arrival to applied.
    case applied
    /// Notifications that failed and wait for people.
    case failed
    /// For how long the notification that was due longest had waited.
    case queueAge = "queue-age"

    /// What its value counts.
    package enum Unit: String, Hashable, Sendable {
        /// Hundredths of a percent.
        case percent
        /// The 95th percentile, or the longest, in milliseconds.
        case milliseconds
        case count
    }

    package var unit: Unit {
        switch self {
        case .signIns, .payments: .percent
        case .answers, .synced, .applied, .queueAge: .milliseconds
        case .failed: .count
        }
    }

    /// The technical targets of the product (docs/metrics.md, "Health"): authentication above 95 %, payments above 90
    /// %, an answer below 500 ms and a subscription in step with its store below 60 s, both at the 95th percentile.
    /// What arrived is part of that way, and what waits is not in step yet, so both are held against the same 60 s; a
    /// failed notification is one too many.
    package var target: HealthTarget {
        switch self {
        case .signIns: .above(9_500)
        case .payments: .above(9_000)
        case .answers: .below(500)
        case .synced, .applied, .queueAge: .below(60_000)
        case .failed: .atMost(0)
        }
    }
}

/// The target of a metric, in its unit.
package enum HealthTarget: Hashable, Sendable {
    case above(Int64)
    case below(Int64)
    case atMost(Int64)

    package func isMet(by value: Int64) -> Bool {
        switch self {
        case .above(let limit): value > limit
        case .below(let limit): value < limit
        case .atMost(let limit): value <= limit
        }
    }

    package var limit: Int64 {
        switch self {
        case .above(let limit), .below(let limit), .atMost(let limit): limit
        }
    }
}
