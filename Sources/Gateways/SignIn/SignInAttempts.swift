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

    /// What the provider did.
    enum Outcome: Hashable, Sendable {
        /// It said no, and will say so again.
        case final
        /// It was busy and did nothing: the same may be asked again.
        case busy
        /// No answer came: a code may be used up by now. Only what changes nothing is asked again.
        case unknown
    }
}

/// Whether and when a provider is asked once more, while somebody waits to be signed in: a value that decides and does nothing.
struct SignInAttempts {
    private let isRepeatable: Bool
    private let longestWait: Duration
    private var pauses: ArraySlice<Duration>

    /// - Parameter isRepeatable: whether asking twice does no more than asking once.
    init(isRepeatable: Bool, policy: SignInPolicy) {
        self.isRepeatable = isRepeatable
        longestWait = policy.longestWait
        pauses = ArraySlice(policy.pauses)
    }

    /// - Parameter jitter: 0 ..< 1; up to a fifth is added to each pause.
    /// - Returns: how long to wait before the next attempt; nil to give up.
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

/// How long a provider is waited for.
package struct SignInPolicy: Hashable, Sendable {
    /// The pause before each further attempt; as many attempts as pauses, after the first.
    package var pauses: [Duration]
    /// A provider that wants to be left alone for longer is not waited for: who asks is told.
    package var longestWait: Duration
    /// How long one answer may take.
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
