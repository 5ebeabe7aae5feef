extension JSONParser {
    mutating func string() throws(GatewayError) -> String {
        let start = position + 1
        let (end, isPlain) = try endOfString(from: start)
        position = end + 1
        guard isPlain else { return try unescape(bytes[start..<end]) }  // safe: `end` was looked for from `start` on
        let plain = bytes[start..<end]  // safe: as above
        // Nearly all strings of stores are ASCII; to validate one costs as much as to read it.
        if isASCII(plain) { return String(decoding: plain, as: UTF8.self) }
        guard let text = String(validating: plain, as: UTF8.self) else { throw malformed("a string is not UTF-8") }
        return text
    }

    private func isASCII(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var bits: UInt8 = 0
            for byte in bytes { bits |= byte }
            return bits < 0x80
        }
    }

    /// The position of the closing quote; `isPlain` is true if there is no escape before it.
    private func endOfString(from start: Int) throws(GatewayError) -> (end: Int, isPlain: Bool) {
        var isPlain = true
        var end = start
        while true {
            end = endOfPlainText(from: end)
            guard end < bytes.count else { throw malformed("a string is not closed") }
            if bytes[end] == UInt8(ascii: "\"") { return (end, isPlain) }
            guard bytes[end] == UInt8(ascii: "\\") else { throw malformed("a string has a control character") }
            isPlain = false
            end += 2
        }
    }

    /// The first quote, backslash or control character at or after a position; the count where there is none.
    ///
    /// Eight bytes at a time: the tokens within a notification are strings of thousands.
    private func endOfPlainText(from start: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            var index = start
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let quotes = Self.zeroBytes(word ^ (UInt64(UInt8(ascii: "\"")) &* Self.ones))
                let backslashes = Self.zeroBytes(word ^ (UInt64(UInt8(ascii: "\\")) &* Self.ones))
                let controls = Self.zeroBytes(word & (0xE0 &* Self.ones))
                if quotes | backslashes | controls != 0 { break }
                index += 8
            }
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return index }
                index += 1
            }
            return bytes.count
        }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Not zero exactly when one of the eight bytes is zero (Warren, Hacker's Delight, 6-1).
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        (word &- ones) & ~word & (0x80 &* ones)
    }

    private func unescape(_ raw: ArraySlice<UInt8>) throws(GatewayError) -> String {
        var plain: [UInt8] = []
        plain.reserveCapacity(raw.count)
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\""): plain.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\"): plain.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "u"): plain.append(contentsOf: String(try scalar(from: &rest)).utf8)
            default: throw malformed("a string has an unknown escape")
            }
        }
        guard let text = String(validating: plain, as: UTF8.self) else { throw malformed("a string is not UTF-8") }
        return text
    }

    /// Reads what follows `\u`, and the second half of a surrogate pair with it.
    private func scalar(from rest: inout ArraySlice<UInt8>) throws(GatewayError) -> Character {
        var value = try codeUnit(from: &rest)
        if (0xD800..<0xDC00).contains(value) {
            guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u") else {
                throw malformed("a string has half a surrogate pair")
            }
            let low = try codeUnit(from: &rest)
            guard (0xDC00..<0xE000).contains(low) else { throw malformed("a string has half a surrogate pair") }
            value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard value != 0, let scalar = Unicode.Scalar(value) else {
            throw malformed("a string has a character that cannot be kept")
        }
        return Character(scalar)
    }

    private func codeUnit(from rest: inout ArraySlice<UInt8>) throws(GatewayError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = rest.popFirst().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw malformed("a string has an unknown escape")
            }
            value = value << 4 | UInt32(digit)  // safe: wider
        }
        return value
    }
}
