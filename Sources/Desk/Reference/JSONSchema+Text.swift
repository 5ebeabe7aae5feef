import APITypes
import HTTP

extension JSONSchema {
    /// The schema of a list's values; itself where this is no list.
    var innermost: JSONSchema { element?.innermost ?? self }

    /// The type in JSON Schema's words: `string (uuid)`, `array of Order`, `integer | null`.
    var typeText: String {
        let mayBeNull = isNullable || types.contains("null")
        return mayBeNull ? "\(typeWithoutNull) | null" : typeWithoutNull
    }

    private var typeWithoutNull: String {
        if let reference { return reference.name }
        if let element { return "array of \(element.typeText)" }
        guard values.isEmpty else { return "string" }
        let names = types.filter { $0 != "null" }.joined(separator: " | ")
        return format.map { "\(names) (\($0))" } ?? names
    }
}

extension JSONValue {
    /// As it stands in JSON.
    var json: String {
        var json = JSONWriter(capacity: 64)
        write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// As it stands where everything is text: a string without its quotation marks.
    var text: String {
        if case .string(let text) = self { text } else { json }
    }
}
