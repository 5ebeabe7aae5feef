import Foundation
import HTTP

/// One side of an audit entry, before or after: its fields by name, as texts.
struct AuditSide: Sendable {
    private let values: [String: String]

    subscript(_ field: String) -> String? { values[field] }
    var fields: [String] { values.keys.sorted() }

    /// - Parameter json: an object; what is absent or null has no field.
    init(_ json: String?) {
        let object = json.flatMap { try? JSONDecoder().decode([String: Value].self, from: Data($0.utf8)) } ?? [:]
        values = object.compactMapValues(\.text).reduce(into: [:]) { values, field in
            values[field.key] = MaskedJSON.isSecret(field.key) ? MaskedJSON.mask : field.value
        }
    }

    private enum Value: Decodable {
        case text(String)
        case list([Value])
        case object([String: Value])
        case nothing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .text(flag ? "yes" : "no")
            } else if let number = try? container.decode(Decimal.self) {
                self = .text(number.description)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else {
                self = .nothing
            }
        }

        /// The value in one line, with what is nested in it; nil for null.
        var text: String? {
            switch self {
            case .text(let text): text
            case .list(let list): list.map { $0.text ?? "–" }.joined(separator: ", ")
            case .object(let object):
                object.sorted { $0.key < $1.key }
                    .map { "\($0.key): \(MaskedJSON.isSecret($0.key) ? MaskedJSON.mask : $0.value.text ?? "–")" }
                    .joined(separator: ", ")
            case .nothing: nil
            }
        }
    }
}
