import Billing
import Foundation

/// Writes an object of JSON, member by member; what is nil is left out.
struct JSONPrinter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ members: (inout JSONPrinter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    mutating func member<Value: RawRepresentable>(_ name: StaticString, _ value: Value?)
    where Value.RawValue == String {
        member(name, value?.rawValue)
    }

    mutating func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        self.name(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func member(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Milliseconds since 1970.
    mutating func member(_ name: StaticString, _ date: Date?) {
        guard let date else { return }
        self.name(name)
        let milliseconds = date.timeIntervalSince1970 * 1000
        let text = Int64(exactly: milliseconds).map { String($0) } ?? "\(milliseconds)"
        bytes.append(contentsOf: text.utf8)
    }

    mutating func member(_ name: StaticString, _ money: Money?) {
        guard let money else { return }
        object(name) { json in
            json.member("minorUnits", money.minorUnits)
            json.member("currency", money.currency.code)
        }
    }

    mutating func member(_ name: StaticString, _ texts: [String]?) {
        guard let texts else { return }
        self.name(name)
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            string(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func object(_ name: StaticString, _ members: (inout JSONPrinter) -> Void) {
        self.name(name)
        object(members)
    }

    private mutating func name(_ name: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = true
    }

    private mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
