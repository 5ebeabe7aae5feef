extension HTMLBuffer {
    mutating func escape(utf8: some Collection<UInt8>, as context: HTMLContext) {
        let done: Void? = utf8.withContiguousStorageIfAvailable {
            escape(UnsafeRawBufferPointer($0), as: context)
        }
        if done == nil {
            Array(utf8).withUnsafeBytes { escape($0, as: context) }
        }
    }

    mutating func escape(_ value: UnsafeRawBufferPointer, as context: HTMLContext) {
        guard let start = value.baseAddress else { return }
        switch context {
        case .text:
            guard TextDirection.mayTurn(value) else {
                return escape(start, count: value.count, dangerous: Self.dangerousInText)
            }
            append("<bdi>")
            TextDirection.withoutMarks(value).withUnsafeBytes { text in
                if let start = text.baseAddress {
                    escape(start, count: text.count, dangerous: Self.dangerousInText)
                }
            }
            append("</bdi>")
        case .content: escape(start, count: value.count, dangerous: Self.dangerousInText)
        case .attribute: escape(start, count: value.count, dangerous: Self.dangerousInAttribute)
        case .url:
            guard URLScheme.isSafe(value) else {
                append("#unsafe")
                return
            }
            escape(start, count: value.count, dangerous: Self.dangerousInAttribute)
        case .component: percentEncode(start, count: value.count)
        }
    }

    /// Copies clean runs whole and replaces the bytes whose bit is set in `dangerous`, all of them below 64.
    private mutating func escape(_ start: UnsafeRawPointer, count length: Int, dangerous: UInt64) {
        var (clean, offset) = (0, 0)
        while offset < length {
            // Most text has nothing to escape, so eight bytes are looked at together.
            let end = min(offset + 8, length)
            if end - offset == 8, !Self.mayBeDangerous(start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) {
                offset = end
                continue
            }
            while offset < end {
                let byte = start.load(fromByteOffset: offset, as: UInt8.self)
                offset += 1
                guard byte < 64, dangerous &>> UInt64(byte) & 1 == 1 else { continue }
                append(start + clean, count: offset - 1 - clean)
                append(Self.reference(for: byte))
                clean = offset
            }
        }
        append(start + clean, count: length - clean)
    }

    /// Returns true if any of eight bytes may be one of `"` `&` `'` (22, 26, 27) or `<` `>` (3C, 3E); a few others look alike.
    @inline(__always)
    private static func mayBeDangerous(_ bytes: UInt64) -> Bool {
        // A byte that is zero now was one of them; subtracting one from it borrows its highest bit.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = bytes & (0xFA * ones) ^ (0x22 * ones)
        let brackets = bytes & (0xFD * ones) ^ (0x3C * ones)
        return ((quotes &- ones) & ~quotes | (brackets &- ones) & ~brackets) & (0x80 * ones) != 0
    }

    /// Keeps the unreserved characters of RFC 3986, section 2.3, and encodes every other byte as `%XX`.
    private mutating func percentEncode(_ start: UnsafeRawPointer, count length: Int) {
        var clean = 0
        for offset in 0..<length {
            let byte = start.load(fromByteOffset: offset, as: UInt8.self)
            guard !Self.isUnreserved(byte) else { continue }
            append(start + clean, count: offset - clean)
            var encoded = (UInt8(ascii: "%"), Self.hexDigit(byte >> 4), Self.hexDigit(byte & 15))
            Swift.withUnsafeBytes(of: &encoded) { append($0) }
            clean = offset + 1
        }
        append(start + clean, count: length - clean)
    }

    /// `&` `<` `>` as bits; plain shifts, so that the compiler sees a constant.
    private static let dangerousInText: UInt64 = 1 << 38 | 1 << 60 | 1 << 62
    /// Those and `"` `'`.
    private static let dangerousInAttribute: UInt64 = 1 << 38 | 1 << 60 | 1 << 62 | 1 << 34 | 1 << 39

    private static func reference(for byte: UInt8) -> StaticString {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        default: "&#39;"
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble
    }
}
