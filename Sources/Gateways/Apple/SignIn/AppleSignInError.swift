/// Why a sign-in with Apple was not accepted, or Apple not reached.
package struct AppleSignInError: Error, CustomStringConvertible {
    package var code: Code
    /// A plain sentence without secrets or the token's own text.
    package var message: String
    /// The claim or setting that is wrong, where one is.
    package var field: String?
    /// How long Apple wants to be left alone; only with `.unreachable`.
    package var retryAfter: Duration?
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        field: String? = nil,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(code.rawValue): \(message)\(cause) at \(file):\(line)"
    }

    package enum Code: String, Sendable, CaseIterable {
        /// No JWT of three parts, or a claim of another type.
        case malformed
        /// A claim that everything hangs on is not there.
        case missing
        /// Signed with something other than RS256.
        case unsupportedAlgorithm
        /// Signed with a key that is none of Apple's.
        case unknownKey
        case invalidSignature
        /// Issued by somebody else.
        case wrongIssuer
        /// For an app that is not this one.
        case wrongAudience
        /// Over since then; the app asks Apple for a new one.
        case expired
        /// Issued at a time that has not come.
        case issuedInFuture
        /// Not made for this sign-in.
        case wrongNonce
        /// Of another person than the one that the code was for.
        case wrongSubject
        /// Apple does not take the code or the refresh token: used, over, or another app's.
        case refused
        /// Apple does not take our own settings: team, key, client, redirect.
        case misconfigured
        /// Apple did not answer, or could not.
        case unreachable
    }
}

extension AppleSignInError {
    init(_ error: GatewayError) {
        let code: Code =
            switch error.code {
            case .unreachable: .unreachable
            case .misconfigured: .misconfigured
            case .missing: .missing
            case .unsupportedAlgorithm: .unsupportedAlgorithm
            default: .malformed
            }
        self.init(code, error.message, field: error.field, underlying: error)
    }
}
