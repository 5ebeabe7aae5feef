/// Strict base64 (RFC 4648): no whitespace, no foreign letter, no stray bits after the last byte.
package enum Base64 {
    /// Decodes section 4's alphabet, which needs its padding; nil when the text is anything else.
    static func decode(standard text: some Collection<UInt8>) -> [UInt8]? {
        let length = text.count
        guard length > 0, length.isMultiple(of: 4) else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return decode(text.dropLast(padding), with: standardValues)
    }

    /// Decodes section 5's URL-safe alphabet, which has no padding here (RFC 7515 2); nil when the text is anything else.
    package static func decode(url text: some Collection<UInt8>) -> [UInt8]? {
        decode(text, with: urlValues)
    }

    /// Encodes with the URL-safe alphabet and without padding.
    package static func encode(url bytes: [UInt8]) -> [UInt8] {
        let length = bytes.count / 3 * 4 + [0, 2, 3][bytes.count % 3]
        let whole = bytes.count - bytes.count % 3
        return [UInt8](unsafeUninitializedCapacity: length) { text, written in
            var (index, position) = (0, 0)
            while index < whole {
                let value = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                text[position] = urlAlphabet[value >> 18]
                text[position + 1] = urlAlphabet[value >> 12 & 63]  // safe: three bytes are four letters
                text[position + 2] = urlAlphabet[value >> 6 & 63]  // safe: three bytes are four letters
                text[position + 3] = urlAlphabet[value & 63]  // safe: three bytes are four letters
                index += 3
                position += 4
            }
            if bytes.count > whole {
                let second = bytes.count - whole == 2 ? Int(bytes[whole + 1]) : 0
                text[position] = urlAlphabet[Int(bytes[whole]) >> 2]
                // safe: three bytes are four letters
                text[position + 1] = urlAlphabet[Int(bytes[whole]) << 4 & 63 | second >> 4]
                // safe: three bytes are four letters
                if bytes.count - whole == 2 { text[position + 2] = urlAlphabet[second << 2 & 63] }
            }
            written = length
        }
    }

    private static func decode(_ text: some Collection<UInt8>, with values: [UInt8]) -> [UInt8]? {
        if let bytes = text.withContiguousStorageIfAvailable({ decode($0.span, with: values.span) }) { return bytes }
        return decode(Array(text).span, with: values.span)
    }

    private static func decode(_ text: Span<UInt8>, with values: Span<UInt8>) -> [UInt8]? {
        let tail = text.count % 4
        guard tail != 1 else { return nil }
        let whole = text.count - tail
        // A foreign letter has its top bit set in the table; collected here and judged once at the end.
        var foreign: UInt8 = 0
        let length = text.count / 4 * 3 + max(0, tail - 1)
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { bytes, written in
            var (index, position) = (0, 0)
            while index < whole {
                let a = values[Int(text[index])]
                let b = values[Int(text[index + 1])]  // safe: three bytes are four letters
                let c = values[Int(text[index + 2])]  // safe: three bytes are four letters
                let d = values[Int(text[index + 3])]
                foreign |= a | b | c | d
                bytes[position] = a << 2 | b >> 4
                bytes[position + 1] = b << 4 | c >> 2  // safe: three bytes are four letters
                bytes[position + 2] = c << 6 | d  // safe: three bytes are four letters
                index += 4
                position += 3
            }
            if tail > 0 {
                let a = values[Int(text[index])]
                let b = values[Int(text[index + 1])]  // safe: three bytes are four letters
                let c = tail == 3 ? values[Int(text[index + 2])] : 0  // safe: three bytes are four letters
                // Bits after the last byte would let one message be written in several ways.
                foreign |= a | b | c | ((tail == 3 ? c & 0b11 : b & 0b1111) == 0 ? 0 : 0x80)
                bytes[position] = a << 2 | b >> 4
                if tail == 3 { bytes[position + 1] = b << 4 | c >> 2 }  // safe: three bytes are four letters
            }
            written = length
        }
        return foreign & 0x80 == 0 ? bytes : nil
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let urlAlphabet = letters + Array("-_".utf8)
    private static let standardValues = values(of: letters + Array("+/".utf8))
    private static let urlValues = values(of: urlAlphabet)

    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(truncatingIfNeeded: value) }
        return values
    }
}
