package import Billing
package import Operations

/// The reason why a request is not answered as it was asked.
package struct WebError: Error, CustomStringConvertible {
    package var code: Code
    /// In English, for people outside; says nothing secret.
    package var message: String
    /// The reason that an app's customer is told; nil where the code says enough.
    package var reason: ProblemCode?
    /// The same in their language, where it names what the reason alone cannot; nil for the reason's own sentence.
    package var customerMessage: String?
    /// The inputs at fault.
    package var fields: [FieldProblem]
    /// Seconds.
    package var retryAfter: Int?
    /// The methods that the path has, for `.methodNotAllowed`.
    package var allow: [String]
    /// The limit of the customer's plan that refused the call, for programs.
    package var usage: UsageRefusal?
    /// The reason why a provider did not sign a customer in.
    package var signIn: SignInRefusal?
    /// The owner of a purchase that was shown by somebody else.
    package var owner: PurchaseOwnedByAnother?
    /// The body of the answer to a store that wants another one than ours.
    package var answerToStore: AnswerToStore?
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        field: String? = nil,
        reason: ProblemCode? = nil,
        retryAfter: Int? = nil,
        allow: [String] = [],
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.reason = reason
        fields = field.map { [FieldProblem($0, .other(message))] } ?? []
        self.retryAfter = retryAfter
        self.allow = allow
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    /// One field that breaks a rule.
    package init(
        _ problem: FieldProblem,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.init(.invalid, problem.message, underlying: underlying, file: file, line: line)
        fields = [problem]
    }

    /// A body of a store's own choice.
    package struct AnswerToStore: Hashable, Sendable {
        package var mediaType: String
        package var text: String

        package init(_ text: String, as mediaType: String) {
            (self.text, self.mediaType) = (text, mediaType)
        }
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
        /// The customer has used what their plan gives, until its window is over.
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
