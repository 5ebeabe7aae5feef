extension JSON {
    /// The value as compact UTF-8.
    package var bytes: [UInt8] {
        var text: [UInt8] = []
        write(into: &text)
        return text
    }

    private func write(into text: inout [UInt8]) {
        switch self {
        case .null: text.append(contentsOf: "null".utf8)
        case .bool(let flag): text.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let integer): text.append(contentsOf: String(integer).utf8)
        case .number(let number): text.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
        case .string(let string): Self.write(string, into: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.write(into: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(member.name, into: &text)
                text.append(UInt8(ascii: ":"))
                member.value.write(into: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, into text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<0x20:
                text.append(contentsOf: "\\u00".utf8)
                text.append(hexDigits[Int(byte >> 4)])
                text.append(hexDigits[Int(byte & 15)])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
