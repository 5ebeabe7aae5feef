package import APITypes
package import Billing

/// Why a request is not answered as it was asked.
package struct WebError: Error, CustomStringConvertible {
    package var code: Code
    /// For people outside; says nothing secret.
    package var message: String
    /// What to show to a customer, in their language; nil where `message` is all that there is.
    package var customerMessage: String?
    /// The inputs at fault.
    package var fields: [Problem.InputError]
    /// Seconds.
    package var retryAfter: Int?
    /// The methods that the path has, for `.methodNotAllowed`.
    package var allow: [String]
    /// What a program is told of a limit of the customer's plan.
    package var usage: UsageRefusal?
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        field: String? = nil,
        retryAfter: Int? = nil,
        allow: [String] = [],
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        fields = field.map { [Problem.InputError(field: $0, reason: message)] } ?? []
        self.retryAfter = retryAfter
        self.allow = allow
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(code): \(message)\(cause) at \(file):\(line)"
    }

    /// The kinds of failure that people outside can tell apart; `ErrorTable` gives each its status.
    package enum Code: String, Sendable, CaseIterable {
        case badRequest
        /// No session or token that is good.
        case unauthenticated
        case forbidden
        /// The form is not one of ours, or is too old.
        case forged
        case notFound
        case methodNotAllowed
        case conflict
        case payloadTooLarge
        case uriTooLong
        case unsupportedMediaType
        /// Well formed, but a field breaks a rule.
        case invalid
        case tooManyRequests
        /// The customer's plan does not include it.
        case tierRequired
        /// What the customer's plan gives is used, until its window is over.
        case limitReached
        /// The same for good.
        case usedUp
        case headersTooLarge
        case internalError
        case unavailable
        /// Another transaction is changing what was asked for.
        case busy
        /// The server's own setting cannot work; never reaches a client.
        case misconfigured
    }
}
