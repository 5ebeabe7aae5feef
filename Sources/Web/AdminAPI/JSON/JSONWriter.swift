import NIOCore

/// Writes JSON straight into a buffer: UTF-8, no white space, fields in the order they are written.
struct JSONWriter {
    private(set) var buffer = ByteBuffer()
    private var needsComma = false

    init(capacity: Int = 1_024) {
        buffer.reserveCapacity(capacity)
    }

    mutating func object(_ fields: (inout JSONWriter) throws -> Void) rethrows {
        begin("{")
        try fields(&self)
        end("}")
    }

    mutating func array<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void) rethrows {
        begin("[")
        for element in elements { try write(&self, element) }
        end("]")
    }

    /// Writes a name; the value must be written next.
    mutating func name(_ name: StaticString) {
        separate()
        buffer.writeInteger(UInt8(ascii: "\""))
        buffer.writeStaticString(name)
        buffer.writeStaticString("\":")
        needsComma = false
    }

    /// The same with a name that is data.
    mutating func name(_ name: String) {
        string(name)
        buffer.writeInteger(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func field(_ name: StaticString, _ value: String?) {
        self.name(name)
        guard let value else { return literal("null") }
        string(value)
    }

    mutating func field(_ name: StaticString, _ value: Int) {
        self.name(name)
        literal(String(value))
    }

    mutating func string(_ value: String) {
        separate()
        buffer.writeInteger(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { escape($0) }
        buffer.writeInteger(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Text that is JSON already: a number, `null`.
    mutating func literal(_ text: String) {
        separate()
        buffer.writeString(text)
        needsComma = true
    }

    private mutating func begin(_ bracket: StaticString) {
        separate()
        buffer.writeStaticString(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: StaticString) {
        buffer.writeStaticString(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { buffer.writeInteger(UInt8(ascii: ",")) }
    }

    private mutating func escape(_ bytes: UnsafeBufferPointer<UInt8>) {
        var clean = 0
        for (position, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
            // safe: clean is one after a position before this one
            buffer.writeBytes(UnsafeBufferPointer(rebasing: bytes[clean..<position]))
            switch byte {
            case 0x22: buffer.writeStaticString("\\\"")
            case 0x5C: buffer.writeStaticString("\\\\")
            case 0x0A: buffer.writeStaticString("\\n")
            default:
                let digits = String(byte, radix: 16)
                buffer.writeString("\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)")
            }
            clean = position + 1
        }
        // safe: clean is at most the end
        buffer.writeBytes(UnsafeBufferPointer(rebasing: bytes[clean...]))
    }
}
