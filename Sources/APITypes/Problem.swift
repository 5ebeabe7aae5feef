/// What went wrong with a request (RFC 9457, `application/problem+json`).
public struct Problem: Codable, Hashable, Sendable {
    /// Names the kind of problem: `/problems/not-found`.
    public var type: String
    public var title: String
    public var status: Int
    /// What is wrong with this request.
    public var detail: String
    /// The path that was asked for.
    public var instance: String
    /// What to tell the operator.
    public var requestId: String
    /// The inputs at fault; empty when none is.
    public var errors: [Field]

    /// One input and what is wrong with it.
    public struct Field: Codable, Hashable, Sendable {
        public var field: String
        public var reason: String

        public init(field: String, reason: String) {
            self.field = field
            self.reason = reason
        }
    }

    public init(
        type: String,
        title: String,
        status: Int,
        detail: String,
        instance: String,
        requestId: String,
        errors: [Field]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.requestId = requestId
        self.errors = errors
    }
}
