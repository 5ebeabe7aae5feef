/// Everything that a verb of the back office refuses or fails at.
package struct OperationsError: Error, CustomStringConvertible {
    package var code: Code
    /// For people; says nothing secret.
    package var message: String
    /// The inputs that are at fault, by their names in the request or file.
    package var problems: [FieldProblem]
    /// The code for an app's customer; nil if the error's own code says enough.
    package var reason: ProblemCode?
    /// The time, in seconds, after which `overloaded` may be over.
    package var retryAfter: Int?
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        field: String? = nil,
        reason: ProblemCode? = nil,
        retryAfter: Int? = nil,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        problems = field.map { [FieldProblem($0, .other(message))] } ?? []
        self.reason = reason
        self.retryAfter = retryAfter
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    /// An input with one or more fields that break a rule.
    package init(problems: [FieldProblem], file: String = #fileID, line: Int = #line) {
        self.init(.invalid, Self.message(of: problems), file: file, line: line)
        self.problems = problems
    }

    /// The error with its fields renamed to those of the sender, in its message, too.
    package func renamingFields(_ name: (String) -> String) -> OperationsError {
        var error = self
        for index in error.problems.indices { error.problems[index].field = name(error.problems[index].field) }
        if message == Self.message(of: problems) { error.message = Self.message(of: error.problems) }
        return error
    }

    private static func message(of problems: [FieldProblem]) -> String {
        problems.map { "\($0.field): \($0.message)" }.joined(separator: " ")
    }

    /// The first input that is at fault.
    package var field: String? { problems.first?.field }

    package var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(code): \(message)\(cause) at \(file):\(line)"
    }

    /// The kind of failure; the web maps it to a status in one table.
    package enum Code: Hashable, Sendable, CaseIterable {
        /// The input breaks a rule; `field` says which.
        case invalid
        /// The signature is not from the claimed signer.
        case notAuthentic
        /// Authentic, but for an app that is not ours.
        case wrongApp
        /// The caller lacks the permission.
        case forbidden
        case notFound
        /// It was changed meanwhile, exists already, or would contradict what is there.
        case conflict
        /// It has changed since it was shown; nothing was done.
        case stale
        /// Too many wrong passwords or codes, or a plan's limit is reached; `retryAfter` says how long nothing is tried.
        case blocked
        /// Too much work is waiting, or the database is away; `retryAfter` says when to come back.
        case overloaded
        /// Our own setting cannot work.
        case misconfigured
    }
}
