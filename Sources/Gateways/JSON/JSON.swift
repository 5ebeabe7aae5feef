/// A JSON value as a store sent it: members in their order, numbers exact where they are whole.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A whole number that fits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One name and its value within an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The member of that name; nil where there is none and where this is no object. Of repeated names the last counts.
    package subscript(name: String) -> JSON? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { $0.name == name }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            // Lets go of the members, so that they are changed in place.
            self = .null
            members.removeAll { $0.name == name && newValue == nil }
            if let newValue {
                if let index = members.lastIndex(where: { $0.name == name }) {
                    members[index].value = newValue
                } else {
                    members.append(Member(name: name, value: newValue))
                }
            }
            self = .object(members)
        }
    }

    package var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }

    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}
