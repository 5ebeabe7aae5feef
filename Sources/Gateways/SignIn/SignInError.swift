/// The reason that a person was not signed in.
package struct SignInError: Error, CustomStringConvertible {
    package var code: Code
    /// A plain sentence without secrets, codes or tokens, safe to log.
    package var message: String
    /// The invalid part: of the credential (`code`, `identityToken`, `nonce`), or the name of a setting.
    package var field: String?
    /// The provider's own name or number of its refusal: `40029`, `isv.code-invalid`, `invalid_grant`.
    package var providerCode: String?
    /// The time to wait before the next request to the provider; only with `.unavailable`.
    package var retryAfter: Duration?
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        field: String? = nil,
        providerCode: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.providerCode = providerCode
        self.retryAfter = retryAfter
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package var description: String {
        let name = providerCode.map { " [\($0)]" } ?? ""
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(code.rawValue): \(message)\(name)\(cause) at \(file):\(line)"
    }

    /// True if the provider refuses the credential or the person; otherwise it does not answer, or a setting is wrong.
    var isRefusal: Bool {
        switch code {
        case .invalidCode, .usedCode, .denied: true
        case .unavailable, .notConfigured, .misconfigured: false
        }
    }

    package enum Code: String, Sendable, CaseIterable {
        /// Never given out, over, another app's, or not for this sign-in: the app asks its provider for a new one.
        case invalidCode
        /// Exchanged before; WeChat tells it, other providers say `invalidCode`.
        case usedCode
        /// The person said no, or the provider lets them sign in no more.
        case denied
        /// The provider did not answer, or wants to be left alone: try again, after `retryAfter`.
        case unavailable
        /// The app has no account at the provider, or no key for signing people in there.
        case notConfigured
        /// The provider does not take the app's key, secret or id: staff mend it.
        case misconfigured
    }
}
