import Foundation

/// Reads JSON that the database keeps, member by member, without building a tree of it first.
///
/// It has to be quick: applying a notification reads every event of its subscription.
struct JSONScanner: ~Copyable {
    /// The input differs from what was expected.
    struct Surprise: Error {
        let position: Int
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: consuming String) {
        bytes = Array(text.utf8)
    }

    /// Reads an object; `member` must read, or skip, the value of each name.
    mutating func object(_ member: (inout JSONScanner, String) throws -> Void) throws {
        try expect("{")
        guard try !takes("}") else { return }
        repeat {
            let name = try string()
            try expect(":")
            try member(&self, name)
        } while try takes(",")
        try expect("}")
    }

    mutating func string() throws -> String {
        try expect("\"")
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        guard peek == UInt8(ascii: "\\") else {
            defer { position += 1 }
            guard peek != nil else { throw surprise }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        return try escapedString(from: start)
    }

    mutating func strings() throws -> [String] {
        try expect("[")
        guard try !takes("]") else { return [] }
        var strings: [String] = []
        repeat { strings.append(try string()) } while try takes(",")
        try expect("]")
        return strings
    }

    /// A value whose text names a case.
    mutating func name<Value: RawRepresentable>(as type: Value.Type) throws -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: try string()) else { throw surprise }
        return value
    }

    mutating func uuid() throws -> UUID {
        guard let uuid = UUID(uuidString: try string()) else { throw surprise }
        return uuid
    }

    mutating func bool() throws -> Bool {
        switch try next {
        case UInt8(ascii: "t"):
            try word("true")
            return true
        case UInt8(ascii: "f"):
            try word("false")
            return false
        default: throw surprise
        }
    }

    mutating func integer() throws -> Int64 {
        let isNegative = try takes("-")
        var (value, digits): (Int64, Int) = (0, 0)
        while let byte = peek, (48...57).contains(byte) {
            let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, stillTooLarge) = tens.subtractingReportingOverflow(Int64(byte - 48))
            guard !tooLarge, !stillTooLarge else { throw surprise }
            (value, digits) = (sum, digits + 1)
            position += 1
        }
        // Collected below zero, where there is one more.
        guard digits > 0, peek.map({ !Self.continuesNumber($0) }) ?? true, isNegative || value != .min else {
            throw surprise
        }
        return isNegative ? value : -value
    }

    /// Milliseconds since 1970.
    mutating func date() throws -> Date {
        Date(timeIntervalSince1970: try number() / 1000)
    }

    mutating func end() throws {
        guard try skipSpace() == nil else { throw surprise }
    }

    /// Passes over a value of any kind.
    mutating func skip() throws {
        switch try next {
        case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skip() }
        case UInt8(ascii: "["):
            position += 1
            guard try !takes("]") else { return }
            repeat { try skip() } while try takes(",")
            try expect("]")
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): try word("null")
        default: _ = try number()
        }
    }

    private mutating func number() throws -> Double {
        _ = try next
        let start = position
        while let byte = peek, Self.continuesNumber(byte) { position += 1 }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else { throw surprise }
        return number
    }

    private mutating func escapedString(from start: Int) throws -> String {
        var end = position
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < bytes.count else { throw surprise }
        position = end + 1
        let quoted = Data(bytes[(start - 1)...end])
        guard let text = try? JSONDecoder().decode(String.self, from: quoted) else { throw surprise }
        return text
    }

    private mutating func word(_ word: StaticString) throws {
        for offset in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[offset] else { throw surprise }
            position += 1
        }
    }

    private mutating func expect(_ byte: Unicode.Scalar) throws {
        guard try takes(byte) else { throw surprise }
    }

    private mutating func takes(_ byte: Unicode.Scalar) throws -> Bool {
        guard try next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// The next byte that is no white space; it is there still.
    private var next: UInt8 {
        mutating get throws {
            guard let byte = try skipSpace() else { throw surprise }
            return byte
        }
    }

    private mutating func skipSpace() throws -> UInt8? {
        while let byte = peek {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return byte
            }
        }
        return nil
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var surprise: Surprise { Surprise(position: position) }

    private static func continuesNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
