import Foundation

/// What an audit entry keeps of before and after: one flat object, absent values left out.
package struct AuditJSON: Sendable {
    package let text: String

    package init(_ values: [(String, String?)]) {
        let pairs = values.compactMap { name, value in
            value.map { "\(Self.quoted(name)):\(Self.quoted($0))" }
        }
        text = "{\(pairs.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\"", "\\": escaped += "\\\(scalar)"
            case "\u{0}"..<"\u{20}": escaped += "\\u00" + [UInt8(scalar.value)].hexadecimal
            case _: escaped.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }
}
