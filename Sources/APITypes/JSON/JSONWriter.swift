/// Writes JSON into bytes: UTF-8, no white space, members in the order they are written.
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// The ranges of values that differ between equal calls, such as the time, and are no part of an answer's content.
    public private(set) var volatileRanges: [Range<Int>] = []
    private var needsComma = false

    public init(capacity: Int = 1_024) {
        bytes.reserveCapacity(capacity)
    }

    public mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "{"))
        try members(&self)
        end(UInt8(ascii: "}"))
    }

    public mutating func array<Element>(
        _ elements: [Element],
        _ write: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        begin(UInt8(ascii: "["))
        for element in elements { try write(&self, element) }
        end(UInt8(ascii: "]"))
    }

    /// Writes a name; the value must be written next.
    public mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        append("\":")
        needsComma = false
    }

    /// The same with a name that is data.
    public mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    public mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// A text of plain letters and digits, in which nothing has to be escaped.
    mutating func plainText(_ append: (inout [UInt8]) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(&bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Text that is JSON already: a number, `null`.
    public mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    /// Writes a value that differs each time the same is asked.
    mutating func volatile(_ write: (inout JSONWriter) -> Void) {
        let start = bytes.count
        write(&self)
        volatileRanges.append(start..<bytes.count)
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var clean = 0
        for (position, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            // safe: clean is one after a position before this one
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<position]))
            switch byte {
            case 0x22: append("\\\"")
            case 0x5C: append("\\\\")
            case 0x0A: append("\\n")
            default:
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: "\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8)
            }
            clean = position + 1
        }
        // safe: clean is at most the end
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean...]))
    }
}
