/// The reason that Apple's sign-in refused a request or was not reached.
package struct AppleSignInError: Error, CustomStringConvertible {
    package var code: Code
    /// A plain sentence without secrets or the token's own text.
    package var message: String
    /// The invalid setting or claim, if any.
    package var field: String?
    /// The pause that Apple asks for; only with `.unreachable`.
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
        /// The identity token that Apple gave for a code is not one to believe; `underlying` says why.
        case invalidToken
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
        let code: Code = error.code == .misconfigured ? .misconfigured : .unreachable
        self.init(code, error.message, field: error.field, underlying: error)
    }

    init(_ error: JWTError) {
        let code: Code = error.code == .unreachable ? .unreachable : .invalidToken
        self.init(code, error.message, field: error.field, underlying: error)
    }
}
