package import Billing
package import Foundation

/// The next attempt after a failed one, with its environment and pause: a value that decides and performs nothing.
///
/// A transaction whose environment is not known is looked up in production, then in the sandbox (stores/apple.md, 1.7).
package struct AppleServerAttempts: Sendable {
    /// The environment to ask now.
    package private(set) var environment: StoreEnvironment
    private let isEnvironmentKnown: Bool
    private let isFresh: Bool
    private let longestWait: Duration
    private var pauses: ArraySlice<Duration>

    /// - Parameter environment: nil if it is not known.
    /// - Parameter isFresh: true if the transaction may be too new for Apple to know it.
    package init(in environment: StoreEnvironment?, isFresh: Bool = false, policy: AppleRetryPolicy = .standard) {
        self.environment = environment ?? .production
        isEnvironmentKnown = environment != nil
        self.isFresh = isFresh
        longestWait = policy.longestWait
        pauses = ArraySlice(policy.pauses)
    }

    /// - Parameter jitter: 0 ..< 1; up to a fifth is added to each pause.
    package mutating func next(after error: AppleServerError, at now: Date, jitter: Double) -> Step {
        if mayBeElsewhere(error) {
            environment = .sandbox
            return .ask(.sandbox, after: .zero)
        }
        guard isWorthAsking(error), let pause = pauses.popFirst() else { return .giveUp }
        var wait = pause + pause * (jitter / 5)
        if let retryAfter = error.retryAfter, retryAfter > now {
            wait = .seconds(retryAfter.timeIntervalSince(now)) + .milliseconds(200) * jitter
        }
        guard wait <= longestWait else { return .giveUp }
        if error.isNotFound, !isEnvironmentKnown { environment = .production }
        return .ask(environment, after: wait)
    }

    package enum Step: Hashable, Sendable {
        case ask(StoreEnvironment, after: Duration)
        case giveUp
    }

    /// Production does not know the transaction, or not even the app: one that was never released exists in the sandbox only.
    private func mayBeElsewhere(_ error: AppleServerError) -> Bool {
        guard !isEnvironmentKnown, environment == .production, error.endpoint.notFound != nil else { return false }
        return error.isNotFound || error.isUnauthorized
    }

    private func isWorthAsking(_ error: AppleServerError) -> Bool {
        if error.isNotFound { return isFresh }
        return error.isRetryable && (error.endpoint.isIdempotent || error.isRefusal)
    }
}

/// The retries of a request to Apple, and the longest wait.
package struct AppleRetryPolicy: Hashable, Sendable {
    /// The pause before each further attempt; there is one attempt per pause, after the first.
    package var pauses: [Duration]
    /// The longest pause to wait for. If Apple asks for a longer one, the caller gets the error instead.
    package var longestWait: Duration

    package init(pauses: [Duration], longestWait: Duration) {
        self.pauses = pauses
        self.longestWait = longestWait
    }

    /// For work in the background.
    package static let standard = AppleRetryPolicy(
        pauses: [.seconds(1), .seconds(2), .seconds(4), .seconds(8)],
        longestWait: .seconds(60)
    )
    /// One attempt in each environment, for somebody who waits.
    package static let once = AppleRetryPolicy(pauses: [], longestWait: .seconds(2))
}
