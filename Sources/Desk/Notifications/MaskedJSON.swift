import Foundation
import HTTP

/// JSON for people to read, with what would let somebody in or pay taken out of it.
enum MaskedJSON {
    static let mask = "•••"

    /// Indented, members by name. nil when it is no JSON.
    static func text(_ json: String) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(json.utf8)) else { return nil }
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: masked(value), options: options) else {
            return nil
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The members of an object by name, each in one line.
    static func members(_ json: String?) -> [String: String] {
        guard let json, let value = try? JSONSerialization.jsonObject(with: Data(json.utf8)),
            let object = masked(value) as? [String: Any]
        else { return [:] }
        return object.mapValues(line)
    }

    private static func masked(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]:
            Dictionary(uniqueKeysWithValues: object.map { ($0, isSecret($0) ? mask : masked($1)) })
        case let list as [Any]: list.map(masked)
        case let text as String: isSigned(text) ? mask : text
        case _: value
        }
    }

    /// Account tokens name a customer, as keys do; other tokens let their bearer in.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        if ["customertoken", "appaccounttoken"].contains(name) { return false }
        return ["token", "secret", "password", "receipt", "signature", "authorization", "cookie"]
            .contains { name.contains($0) }
    }

    /// Three parts of base64url: a signed or bearer token.
    private static func isSigned(_ text: String) -> Bool {
        text.hasPrefix("ey") && text.split(separator: ".", omittingEmptySubsequences: false).count == 3
    }

    private static func line(_ value: Any) -> String {
        if let text = value as? String { return text }
        if value is NSNull { return "none" }
        let data = try? JSONSerialization.data(
            withJSONObject: value,
            options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        )
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
