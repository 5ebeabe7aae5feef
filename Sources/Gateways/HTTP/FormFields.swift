/// `application/x-www-form-urlencoded`.
package enum FormFields {
    package static func encode(_ fields: [(String, String)]) -> String {
        fields.map { "\(escape($0))=\(escape($1))" }.joined(separator: "&")
    }

    /// Everything but RFC 3986's unreserved letters.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                escaped +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
