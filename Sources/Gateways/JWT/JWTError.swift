/// The reason that a token is not accepted, whoever is said to have issued it, or that it cannot be checked.
package struct JWTError: Error, CustomStringConvertible {
    package var code: Code
    /// A plain sentence without the token's own text.
    package var message: String
    /// The invalid claim or member of the header, if any.
    package var field: String?
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
        /// Signed in a way that its issuer does not sign, or with an extension that is not known here.
        case unsupportedAlgorithm
        /// A token for something else, by its `typ`.
        case wrongType
        /// Signed with a key that is none of the issuer's.
        case unknownKey
        case invalidSignature
        /// Issued by somebody else.
        case wrongIssuer
        /// For an app that is not this one.
        case wrongAudience
        /// Over since then; whoever showed it gets a new one.
        case expired
        /// Issued at a time that has not come.
        case issuedInFuture
        /// Good from a time on that has not come.
        case notYetValid
        /// Good for longer than is allowed, or for no time at all.
        case wrongLifetime
        /// Not made for this sign-in.
        case wrongNonce
        /// The issuer's keys cannot be had: whoever showed it tries again.
        case unreachable
    }
}
