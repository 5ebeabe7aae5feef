/// The schema of a JSON value, in the terms of OpenAPI 3.1 (JSON Schema 2020-12).
public struct JSONSchema: Sendable {
    /// The names of JSON types; empty where `values` or `reference` replace them.
    public private(set) var types: [String] = []
    public private(set) var format: String?
    /// The named resource that the value is.
    public private(set) var reference: Component?
    /// The members of an object without a name of its own.
    public private(set) var members: [Member]?
    private var items: [JSONSchema] = []
    /// True if the value may also be null.
    public private(set) var isNullable = false
    /// True if the value may also be anything else.
    private var isOpen = false
    /// The only values; empty where the type decides.
    public private(set) var values: [String] = []
    /// All but `oneOf` and `format`, which are `values` and `format`.
    public private(set) var rules: [Rule] = []
    public private(set) var meaning: String?

    public init(_ types: String..., format: String? = nil) {
        (self.types, self.format) = (types, format)
    }

    /// Of a list.
    public init<Element: JSONRepresentable>(listOf element: Element.Type) {
        self = [Element].schema
    }

    init(reference: Component) {
        self.reference = reference
    }

    init(members: [Member]) {
        (types, self.members) = (["object"], members)
    }

    init(items: JSONSchema) {
        (types, self.items) = (["array"], [items])
    }

    /// Also null.
    public var orNull: JSONSchema {
        var schema = self
        schema.isNullable = !types.contains("null")
        return schema
    }

    /// Also anything else, of which the answer says what is wrong with it.
    public var orAnything: JSONSchema {
        var schema = self
        schema.isOpen = true
        return schema
    }

    /// The same for a value of which more is known; of a list, for each of its values, but for how many there are.
    public func following(_ rules: [Rule], meaning: String? = nil) -> JSONSchema {
        var schema = self
        schema.meaning = meaning ?? self.meaning
        guard items.isEmpty else {
            schema.rules += rules.filter(\.isOfLists)
            schema.items = items.map { $0.following(rules.filter { !$0.isOfLists }) }
            return schema
        }
        for rule in rules {
            switch rule {
            case .oneOf(let values): (schema.values, schema.types) = (values, [])
            case .format(let format): schema.format = format
            case .pattern, .length, .range, .above, .count, .preset, .example: schema.rules.append(rule)
            }
        }
        return schema
    }

    /// The schema of a list's elements; nil unless this is a list.
    public var element: JSONSchema? { items.first }

    /// The named resources to which it refers.
    public var components: [Component] {
        (reference.map { [$0] } ?? []) + items.flatMap(\.components) + (members ?? []).flatMap(\.schema.components)
    }

    /// A constraint or fact beyond the type.
    public enum Rule: Sendable {
        case oneOf([String])
        case format(String)
        /// A regular expression (ECMA-262).
        case pattern(String)
        /// The length of a text, in characters.
        case length(Int = 0, Int? = nil)
        /// The range of a number, both ends included.
        case range(Int, Int? = nil)
        case above(Int)
        /// The number of a list's elements.
        case count(Int, Int)
        /// The default value.
        case preset(JSONValue)
        case example(JSONValue)
    }

    /// A member of an object.
    public struct Member: Sendable {
        public let name: String
        public let schema: JSONSchema
        public let isRequired: Bool
    }

    /// An object that has a name of its own.
    public struct Component: Sendable {
        public let type: any Resource.Type

        public var name: String { type.schemaName }

        public var schema: JSONSchema { type.schemaOfFields }
    }
}

extension JSONSchema {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            writeType(to: &json)
            for rule in rules { rule.write(to: &json) }
            if let meaning {
                json.name("description")
                json.string(meaning)
            }
        }
    }

    private func writeType(to json: inout JSONWriter) {
        if let reference { return writeReference(to: reference, &json) }
        if !values.isEmpty {
            json.name("enum")
            json.array(values.map(JSONValue.string) + (isNullable ? [.null] : [])) { $1.write(to: &$0) }
        } else if isNullable || types.count > 1 {
            json.name("type")
            (types + (isNullable ? ["null"] : [])).write(to: &json)
        } else if let type = types.first {
            json.name("type")
            json.string(type)
        }
        if let format {
            json.name("format")
            json.string(format)
        }
        if let items = items.first {
            json.name("items")
            items.write(to: &json)
        }
        if let members { writeMembers(members, to: &json) }
    }

    private func writeReference(to component: Component, _ json: inout JSONWriter) {
        guard isNullable || isOpen else {
            json.name("$ref")
            return json.string(component.path)
        }
        json.name("anyOf")
        json.array([JSONSchema(reference: component), isOpen ? JSONSchema() : JSONSchema("null")]) { $1.write(to: &$0) }
    }

    private func writeMembers(_ members: [Member], to json: inout JSONWriter) {
        json.name("properties")
        json.object { json in
            for member in members {
                json.name(member.name)
                member.schema.write(to: &json)
            }
        }
        json.name("required")
        members.filter(\.isRequired).map(\.name).write(to: &json)
    }
}

extension JSONSchema.Component {
    var path: String { "#/components/schemas/\(name)" }
}

extension JSONSchema.Rule {
    fileprivate var isOfLists: Bool {
        if case .count = self { true } else { false }
    }

    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .oneOf, .format: break
        case .pattern(let expression):
            json.name("pattern")
            json.string(expression)
        case .length(let least, let most):
            if least > 0 { Self.write("minLength", least, to: &json) }
            Self.write("maxLength", most, to: &json)
        case .range(let least, let most):
            Self.write("minimum", least, to: &json)
            Self.write("maximum", most, to: &json)
        case .above(let bound):
            Self.write("exclusiveMinimum", bound, to: &json)
        case .count(let least, let most):
            Self.write("minItems", least, to: &json)
            Self.write("maxItems", most, to: &json)
        case .preset(let value):
            json.name("default")
            value.write(to: &json)
        case .example(let value):
            json.name("examples")
            [value].write(to: &json)
        }
    }

    private static func write(_ name: StaticString, _ number: Int?, to json: inout JSONWriter) {
        guard let number else { return }
        json.name(name)
        number.write(to: &json)
    }
}
