package import Foundation

/// Reads the claims of a token: times as seconds, flags as true or "true". Absent and null are nil; another type is `.malformed`.
package struct JWTClaims: Sendable {
    private let payload: JSON

    /// - Throws: `.malformed` for what is no object.
    init(_ payload: JSON) throws(JWTError) {
        guard case .object = payload else { throw JWTError(.malformed, "The claims are not an object.") }
        self.payload = payload
    }

    package subscript(name: String) -> JSON? { payload[name] }

    /// A claim that names somebody is a text: a number in its place is `.malformed`. An empty text counts as absent.
    package func text(_ name: String) throws(JWTError) -> String? {
        guard let value = payload[name], value != .null else { return nil }
        guard let text = value.string else { throw wrongType(name, "a text") }
        return text.isEmpty ? nil : text
    }

    /// Whole, or a text that is a whole number.
    package func integer(_ name: String) throws(JWTError) -> Int64? {
        do {
            return try LooseFields(payload, of: "token").integer(name)
        } catch {
            throw wrongType(name, "a whole number")
        }
    }

    /// A flag, a number, or a text that says as much.
    package func flag(_ name: String) throws(JWTError) -> Bool? {
        do {
            return try LooseFields(payload, of: "token").flag(name)
        } catch {
            throw wrongType(name, "true or false")
        }
    }

    /// Seconds since 1970, whole or not, until the year 9999.
    package func date(_ name: String) throws(JWTError) -> Date? {
        let seconds: Double
        switch payload[name] {
        case nil, .null: return nil
        case .integer(let integer): seconds = Double(integer)
        case .number(let number): seconds = number
        default: throw wrongType(name, "a time")
        }
        guard (0...253_402_300_799).contains(seconds) else { throw wrongType(name, "a time of this era") }
        return Date(timeIntervalSince1970: seconds)
    }

    /// `aud`: one text, or a list of them.
    package func audiences() throws(JWTError) -> [String] {
        switch payload["aud"] {
        case .string(let audience): return [audience]
        case .array(let elements):
            let audiences = elements.compactMap(\.string)
            if audiences.count == elements.count { return audiences }
            throw wrongType("aud", "a text")
        case nil, .null: throw JWTError(.missing, "The token does not say whom it is for.", field: "aud")
        default: throw wrongType("aud", "a text")
        }
    }

    private func wrongType(_ name: String, _ type: StaticString) -> JWTError {
        JWTError(.malformed, "The claim \(name) is not \(type).", field: name)
    }
}
