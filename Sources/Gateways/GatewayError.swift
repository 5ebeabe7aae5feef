/// The reason that a store's message was not accepted, or that a store was not reached.
package struct GatewayError: Error, CustomStringConvertible {
    package var code: Code
    /// A plain sentence without secrets or the message's own text, safe to show to staff.
    package var message: String
    /// The invalid field of the account or of the message, if any.
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

    /// The same, with its field below a section of an account: `secrets.appSecret`.
    func below(_ section: String) -> GatewayError {
        var error = self
        error.field = field.map { "\(section).\($0)" }
        return error
    }

    /// The rung of the ladder that failed.
    package enum Code: String, Sendable, CaseIterable {
        /// Not what the store's format says: parts, base64, JSON, the type of a field.
        case malformed
        /// Authentic, but without a field that the books cannot do without.
        case missing
        /// Signed with something other than ES256.
        case unsupportedAlgorithm
        /// The certificates do not lead to a trusted anchor, or were not valid at the signed date.
        case invalidChain
        case invalidSignature
        /// Authentic, but about another app.
        case wrongApp
        /// Authentic, but from an environment that this app does not accept.
        case wrongEnvironment
        case signedInFuture
        /// Our own setting cannot work: an anchor that is no certificate, a simulator without an anchor.
        case misconfigured
        /// The store did not answer.
        case unreachable
    }
}
