/// An object of the JSON API. Its fields are declared once, with what they mean: how it is written and how OpenAPI describes
/// it follow from them, and `Codable` reads it.
public protocol Resource: JSONRepresentable {
    static var fields: Fields<Self> { get }
}

extension Resource {
    /// Its name in OpenAPI: `CustomerAccess.Grant` is `CustomerAccessGrant`.
    public static var schemaName: String {
        String(reflecting: Self.self).split(separator: ".").dropFirst().joined()
    }

    public static var schema: JSONSchema {
        JSONSchema(reference: JSONSchema.Component(type: Self.self))
    }

    public static var schemaOfFields: JSONSchema { fields.schema }

    public static var fieldNames: [String] { fields.list.map(\.name) }

    public func write(to json: inout JSONWriter) {
        Self.fields.write(self, to: &json)
    }
}

/// The fields of a resource, in the order in which they are written.
public struct Fields<Root>: Sendable {
    public let list: [Field<Root>]
    /// Of each; a whole field would be copied each time.
    private let writers: [@Sendable (Root, inout JSONWriter) -> Void]

    public init(@FieldsBuilder<Root> _ list: () -> [Field<Root>]) {
        self.list = list()
        writers = self.list.map(\.write)
    }

    public func write(_ root: Root, to json: inout JSONWriter) {
        json.object { json in
            for write in writers { write(root, &json) }
        }
    }

    public var schema: JSONSchema {
        JSONSchema(
            members: list.map { JSONSchema.Member(name: $0.name, schema: $0.schema, isRequired: $0.isAlwaysThere) }
        )
    }
}

/// One field: its name, where its value comes from, and what it means.
public struct Field<Root>: Sendable {
    public let name: String
    public let schema: JSONSchema
    /// False for one that is left out where it has no value; otherwise it is null there.
    public let isAlwaysThere: Bool
    let write: @Sendable (Root, inout JSONWriter) -> Void

    /// One that is always there.
    ///
    /// - Parameters:
    ///   - name: the name of the property, by which `Codable` reads it.
    ///   - meaning: the facts beyond name and type.
    ///   - rules: the constraints of the values beyond the type.
    public init<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value,
        _ meaning: String,
        _ rules: JSONSchema.Rule...
    ) {
        self.init(name, value, Value.schema.following(rules, meaning: meaning))
    }

    /// The same where name and type tell all.
    public init<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value,
        _ rules: JSONSchema.Rule...
    ) {
        self.init(name, value, Value.schema.following(rules))
    }

    /// One that is left out where it has no value.
    public static func ifAny<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value?,
        _ meaning: String? = nil,
        _ rules: JSONSchema.Rule...
    ) -> Self {
        Field(name, value, Value.schema.following(rules, meaning: meaning), isAlwaysThere: false)
    }

    /// One that is always there and differs each time the same is asked: an entity tag leaves it out.
    public static func volatile<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value
    ) -> Self {
        Field(name: "\(name)", schema: Value.schema, isAlwaysThere: true) { root, json in
            json.name(name)
            json.volatile { value(root).write(to: &$0) }
        }
    }

    /// One of what is sent that is refused without it.
    public static func required<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value?,
        _ meaning: String,
        _ rules: JSONSchema.Rule...
    ) -> Self {
        Field(name, value, Value.schema.following(rules, meaning: meaning), isAlwaysThere: true)
    }

    /// One of what is sent that can be left out, or null.
    public static func optional<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value?,
        _ meaning: String,
        _ rules: JSONSchema.Rule...
    ) -> Self {
        Field(name, value, Value.schema.following(rules, meaning: meaning).orNull, isAlwaysThere: false)
    }

    /// One that is not written where it has no value.
    private init<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value?,
        _ schema: JSONSchema,
        isAlwaysThere: Bool
    ) {
        self.init(name: "\(name)", schema: schema, isAlwaysThere: isAlwaysThere) { root, json in
            guard let value = value(root) else { return }
            json.name(name)
            value.write(to: &json)
        }
    }

    private init<Value: JSONRepresentable>(
        _ name: StaticString,
        _ value: @escaping @Sendable (Root) -> Value,
        _ schema: JSONSchema
    ) {
        self.init(name: "\(name)", schema: schema, isAlwaysThere: true) { root, json in
            json.name(name)
            value(root).write(to: &json)
        }
    }

    private init(
        name: String,
        schema: JSONSchema,
        isAlwaysThere: Bool,
        write: @escaping @Sendable (Root, inout JSONWriter) -> Void
    ) {
        (self.name, self.schema, self.isAlwaysThere, self.write) = (name, schema, isAlwaysThere, write)
    }
}

@resultBuilder
public enum FieldsBuilder<Root> {
    public static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }

    /// Fields that several resources have.
    public static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }

    public static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] { fields.flatMap(\.self) }
}
