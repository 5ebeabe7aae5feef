public import Foundation

/// A type of value that a field can hold.
public protocol JSONRepresentable: Codable, Hashable, Sendable {
    static var schema: JSONSchema { get }

    func write(to json: inout JSONWriter)
}

extension String: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("string") }

    public func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("boolean") }

    public func write(to json: inout JSONWriter) { json.literal(self ? "true" : "false") }
}

extension Int: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("integer") }

    public func write(to json: inout JSONWriter) { json.literal(String(self)) }
}

extension Int64: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("integer") }

    public func write(to json: inout JSONWriter) { json.literal(String(self)) }
}

extension Double: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("number") }

    /// JSON has no word for what is infinite or no number.
    public func write(to json: inout JSONWriter) { json.literal(isFinite ? "\(self)" : "null") }
}

extension UUID: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("string", format: "uuid") }

    public func write(to json: inout JSONWriter) { json.plainText { $0.append(uuid: self) } }
}

extension Date: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema("string", format: "date-time") }

    public func write(to json: inout JSONWriter) { json.plainText { TimeText.append(self, to: &$0) } }
}

extension Amount: JSONRepresentable {
    public static var schema: JSONSchema {
        JSONSchema("number").following([], meaning: "A decimal number with the currency's own digits.")
    }

    public func write(to json: inout JSONWriter) { json.literal(text) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    public static var schema: JSONSchema { Wrapped.schema.orNull }

    public func write(to json: inout JSONWriter) {
        guard let self else { return json.literal("null") }
        self.write(to: &json)
    }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    public static var schema: JSONSchema { JSONSchema(items: Element.schema) }

    public func write(to json: inout JSONWriter) {
        json.array(self) { json, element in element.write(to: &json) }
    }
}

extension JSONValue: JSONRepresentable {
    public static var schema: JSONSchema {
        JSONSchema("object", "array", "string", "number", "boolean", "null")
    }

    /// Members of objects in the order of their names.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.literal("null")
        case .bool(let flag): flag.write(to: &json)
        case .number(let number): json.literal("\(number)")
        case .string(let text): json.string(text)
        case .array(let values): values.write(to: &json)
        case .object(let members):
            json.object { json in
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    member.write(to: &json)
                }
            }
        }
    }
}

extension [UInt8] {
    /// In small letters, with its four hyphens (RFC 9562).
    fileprivate mutating func append(uuid: UUID) {
        Swift.withUnsafeBytes(of: uuid.uuid) { parts in
            for (place, part) in parts.enumerated() {
                if place == 4 || place == 6 || place == 8 || place == 10 { append(UInt8(ascii: "-")) }
                append(hexadecimal: part >> 4)
                append(hexadecimal: part & 0xF)
            }
        }
    }

    private mutating func append(hexadecimal digit: UInt8) {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10))
    }
}
