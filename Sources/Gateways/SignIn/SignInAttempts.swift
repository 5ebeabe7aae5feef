/// One question to a provider that came to nothing.
struct SignInFailure: Error {
    var error: SignInError
    var outcome: Outcome

    init(_ error: SignInError, _ outcome: Outcome = .final) {
        self.error = error
        self.outcome = outcome
    }

    init(
        _ code: SignInError.Code,
        _ message: String,
        field: String? = nil,
        retryAfter: Duration? = nil,
        _ outcome: Outcome = .final,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.init(
            SignInError(code, message, field: field, retryAfter: retryAfter, file: file, line: line),
            outcome
        )
    }

    /// The outcome of a request to the provider.
    enum Outcome: Hashable, Sendable {
        /// It refused, and will refuse again.
        case final
        /// It was busy and did nothing: the same request may be repeated.
        case busy
        /// No answer came: a code may be used up by now. Only requests that change nothing are repeated.
        case unknown
    }
}

/// The retries of a request to a provider, while a person waits to be signed in: a value that decides and performs nothing.
struct SignInAttempts {
    private let isRepeatable: Bool
    private let longestWait: Duration
    private var pauses: ArraySlice<Duration>

    /// - Parameter isRepeatable: true if repeating the request has no further effect.
    init(isRepeatable: Bool, policy: SignInPolicy) {
        self.isRepeatable = isRepeatable
        longestWait = policy.longestWait
        pauses = ArraySlice(policy.pauses)
    }

    /// - Parameter jitter: 0 ..< 1; up to a fifth is added to each pause.
    /// - Returns: the time to wait before the next attempt; nil to give up.
    mutating func next(after failure: SignInFailure, jitter: Double) -> Duration? {
        switch failure.outcome {
        case .final: return nil
        case .unknown where !isRepeatable: return nil
        case .unknown, .busy: break
        }
        guard let pause = pauses.popFirst() else { return nil }
        let wait = max(pause + pause * (jitter / 5), failure.error.retryAfter ?? .zero)
        return wait <= longestWait ? wait : nil
    }
}

/// The retries of a request to a provider, and the time limits.
package struct SignInPolicy: Hashable, Sendable {
    /// The pause before each further attempt; there is one attempt per pause, after the first.
    package var pauses: [Duration]
    /// The longest pause to wait for. If a provider asks for a longer one, the caller gets the error instead.
    package var longestWait: Duration
    /// The time limit for one answer.
    package var timeout: Duration

    package init(pauses: [Duration], longestWait: Duration, timeout: Duration) {
        self.pauses = pauses
        self.longestWait = longestWait
        self.timeout = timeout
    }

    package static let standard = SignInPolicy(
        pauses: [.milliseconds(200), .milliseconds(800)],
        longestWait: .seconds(2),
        timeout: .seconds(8)
    )
}
