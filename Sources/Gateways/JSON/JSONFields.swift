import Foundation

/// Reads the members of one object by name and type. Absent and null are nil; another type is `.malformed`.
struct JSONFields {
    private let members: [JSON.Member]
    /// The object's name in error messages.
    private let subject: StaticString

    init(_ value: JSON, of subject: StaticString) throws(GatewayError) {
        guard case .object(let members) = value else {
            throw GatewayError(.malformed, "The \(subject) is not a JSON object.")
        }
        self.members = members
        self.subject = subject
    }

    func value(_ name: StaticString) -> JSON? {
        guard let value = find(name), value != .null else { return nil }
        return value
    }

    /// A member that nobody decides by: of another type than documented it is as good as absent, and keeps no purchase waiting.
    func unneeded<Value>(_ read: (Self) throws(GatewayError) -> Value?) -> Value? {
        (try? read(self)) ?? nil
    }

    func string(_ name: StaticString) throws(GatewayError) -> String? {
        switch find(name) {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw wrongType(name, "a string")
        }
    }

    func strings(_ name: StaticString) throws(GatewayError) -> [String]? {
        switch find(name) {
        case nil, .null: return nil
        case .array(let elements):
            var strings: [String] = []
            for element in elements {
                guard case .string(let text) = element else { throw wrongType(name, "a list of strings") }
                strings.append(text)
            }
            return strings
        default: throw wrongType(name, "a list of strings")
        }
    }

    func bool(_ name: StaticString) throws(GatewayError) -> Bool? {
        switch find(name) {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw wrongType(name, "true or false")
        }
    }

    func integer(_ name: StaticString) throws(GatewayError) -> Int64? {
        switch find(name) {
        case nil, .null: return nil
        case .integer(let integer): return integer
        case .number(let number):
            guard let integer = Int64(exactly: number) else { throw wrongType(name, "a whole number") }
            return integer
        default: throw wrongType(name, "a whole number")
        }
    }

    /// Milliseconds since 1970, whole or fractional (Xcode's), truncated to the millisecond.
    func date(_ name: StaticString) throws(GatewayError) -> Date? {
        let milliseconds: Double
        switch find(name) {
        case nil, .null: return nil
        case .integer(let integer): milliseconds = Double(integer)
        case .number(let number): milliseconds = number.rounded(.towardZero)
        default: throw wrongType(name, "a date in milliseconds")
        }
        // Four-digit years: what certificates, PostgreSQL and people can write.
        guard (-62_167_219_200_000...253_402_300_799_000).contains(milliseconds) else {
            throw wrongType(name, "a date within the years 0 to 9999")
        }
        return Date(timeIntervalSince1970: milliseconds / 1_000)
    }

    func object(_ name: StaticString, as subject: StaticString) throws(GatewayError) -> JSONFields? {
        guard let value = value(name) else { return nil }
        return try JSONFields(value, of: subject)
    }

    private func find(_ name: StaticString) -> JSON? {
        let length = name.utf8CodeUnitCount
        return members.last { member in
            let letters = member.name.utf8
            guard letters.count == length else { return false }
            let wanted = UnsafeBufferPointer(start: name.utf8Start, count: length)
            return letters.withContiguousStorageIfAvailable { isEqual($0, wanted) } ?? letters.elementsEqual(wanted)
        }?.value
    }

    private func isEqual(_ some: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = some.baseAddress, let otherStart = other.baseAddress else { return some.count == other.count }
        return some.count == other.count && memcmp(start, otherStart, some.count) == 0
    }

    private func wrongType(_ name: StaticString, _ type: StaticString) -> GatewayError {
        GatewayError(.malformed, "The member \(name) of the \(subject) is not \(type).")
    }
}
