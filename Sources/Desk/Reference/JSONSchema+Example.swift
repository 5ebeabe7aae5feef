import APITypes
import Foundation
import HTTP

extension JSONSchema {
    /// A plausible value as JSON: the example or the default that the schema says, else one that its rules allow. An object
    /// has a line for each member that is required, or that says an example or a default; a resource within a resource has none, as it
    /// may hold itself.
    func example(indent: String = "", within resource: Bool = false) -> String {
        if let element { return "[\(element.example(indent: indent, within: resource))]" }
        let named = resource ? nil : reference?.schema.members
        guard let members = members ?? named else { return scalarExample.json }
        let inner = indent + "  "
        let lines = members.filter { $0.isRequired || $0.schema.innermost.saidExample != nil }.map { member in
            "\(inner)\(JSONValue.string(member.name).json): \(member.schema.example(indent: inner, within: resource || named != nil))"
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }

    /// The same for what is no list and no object.
    var scalarExample: JSONValue {
        if let saidExample { return saidExample }
        if let value = values.first { return .string(value) }
        return switch types.first {
        case "integer": .number(Decimal(wholeNumber))
        case "number": .number(10)
        case "boolean": .bool(true)
        case "string": .string(exampleText)
        default: .object([:])
        }
    }

    /// The example that the schema says, else its default.
    private var saidExample: JSONValue? {
        var preset: JSONValue?
        for rule in rules {
            switch rule {
            case .example(let value): return value
            case .preset(let value): preset = value
            case .oneOf, .format, .pattern, .length, .range, .above, .count: break
            }
        }
        return preset
    }

    /// 30, or the number of the range that is closest to it.
    private var wholeNumber: Int {
        for rule in rules {
            if case .range(let least, let most) = rule { return max(least, min(most ?? 30, 30)) }
        }
        return 30
    }

    private var exampleText: String {
        switch format {
        case "uuid": "019ac5e4-6a1e-7c3f-9b52-3f8e1a7d4c60"
        case "date-time": "2026-12-31T00:00:00Z"
        case "date": "2026-12-31"
        default: "text"
        }
    }
}
