/// The body of a call: the members of `Request` that it takes.
public struct RequestBody: Sendable {
    public let schema: JSONSchema

    /// - Parameters:
    ///   - required: refused without them.
    ///   - optional: left out, or null.
    public init<Request: Decodable>(
        of request: Request.Type = Request.self,
        required: [Member<Request>],
        optional: [Member<Request>] = []
    ) {
        schema = JSONSchema(
            members: required.map { JSONSchema.Member(name: $0.name, schema: $0.schema, isRequired: true) }
                + optional.map { JSONSchema.Member(name: $0.name, schema: $0.schema.orNull, isRequired: false) }
        )
    }

    /// One member of a request: its name, which property it is read into, and what it means.
    public struct Member<Request>: Sendable {
        let name: String
        let schema: JSONSchema

        public init<Value: JSONRepresentable>(
            _ name: String,
            _ value: (Request) -> Value?,
            _ meaning: String,
            _ rules: JSONSchema.Rule...
        ) {
            (self.name, schema) = (name, Value.schema.following(rules, meaning: meaning))
        }

        public init<Value: JSONRepresentable>(
            _ name: String,
            _ value: (Request) -> Value?,
            _ rules: JSONSchema.Rule...
        ) {
            (self.name, schema) = (name, Value.schema.following(rules))
        }
    }
}
