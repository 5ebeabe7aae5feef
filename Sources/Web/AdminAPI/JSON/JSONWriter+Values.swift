import APITypes
import Billing
import Foundation

extension JSONWriter {
    mutating func field(_ name: StaticString, _ amount: Amount?) {
        self.name(name)
        literal(amount?.text ?? "null")
    }

    mutating func field(_ name: StaticString, _ date: Date?) {
        field(name, date.map(TimeText.rfc3339))
    }

    mutating func field(_ name: StaticString, _ id: UUID?) {
        field(name, id?.uuidString.lowercased())
    }

    mutating func field(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        literal(flag ? "true" : "false")
    }

    mutating func field(_ name: StaticString, _ value: JSONValue?) {
        self.name(name)
        self.value(value ?? .null)
    }

    /// Members of objects in the order of their names.
    private mutating func value(_ value: JSONValue) {
        switch value {
        case .null: literal("null")
        case .bool(let flag): literal(flag ? "true" : "false")
        case .number(let number): literal("\(number)")
        case .string(let text): string(text)
        case .array(let values): array(values) { json, value in json.value(value) }
        case .object(let members):
            object { json in
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    json.value(member)
                }
            }
        }
    }
}

extension JSONValue {
    /// JSON as the database keeps it; nil for none.
    init?(text: String?) {
        guard let text, let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        self = value
    }
}

extension Amount {
    init(_ money: Money) {
        guard let amount = Amount(money.decimalText) else {
            preconditionFailure("\(money) is no decimal number")  // safe: 19 digits, a point and a sign are one
        }
        self = amount
    }
}
