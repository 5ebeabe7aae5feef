/// The direction of a text's writing, as far as it can move what stands beside it (Unicode UAX #9).
package enum TextDirection {
    /// True for a text with letters that are written from right to left, or with a character that turns the writing round.
    package static func mayTurn(_ utf8: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset < utf8.count {
            // Most text is ASCII, so eight bytes are looked at together.
            if offset + 8 <= utf8.count,
                utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                offset += 8
                continue
            }
            if utf8[offset] >= 0xD6, turns(utf8, at: offset) { return true }
            offset += 1
        }
        return false
    }

    /// The text without the characters that turn the writing round, so that an id is seen as it is; letters from right to left stay.
    static func withoutMarks(_ utf8: UnsafeRawBufferPointer) -> [UInt8] {
        var (text, offset) = ([UInt8](), 0)
        text.reserveCapacity(utf8.count)
        while offset < utf8.count {
            let length = mark(utf8, at: offset)
            if length == 0 { text.append(utf8[offset]) }
            offset += max(length, 1)
        }
        return text
    }

    /// The number of bytes of a character that turns the writing round; 0 for any other.
    private static func mark(_ utf8: UnsafeRawBufferPointer, at offset: Int) -> Int {
        func byte(_ distance: Int) -> UInt8 { offset + distance < utf8.count ? utf8[offset + distance] : 0 }
        return switch (utf8[offset], byte(1), byte(2)) {
        // U+061C
        case (0xD8, 0x9C, _): 2
        // U+200E, 200F, 202A to 202E, 2066 to 2069
        case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xAA...0xAE), (0xE2, 0x81, 0xA6...0xA9): 3
        case _: 0
        }
    }

    /// - Parameter offset: of a byte from D6 on.
    private static func turns(_ utf8: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        func byte(_ distance: Int) -> UInt8 { offset + distance < utf8.count ? utf8[offset + distance] : 0 }
        return switch (utf8[offset], byte(1), byte(2)) {
        // U+0590 to 07FF: Hebrew, Arabic, Syriac, Thaana, N'Ko.
        case (0xD6, 0x90..., _), (0xD7...0xDF, _, _): true
        // U+0800 to 08FF
        case (0xE0, 0xA0...0xA3, _): true
        case (0xE2, _, _): mark(utf8, at: offset) > 0
        // U+FB1D to FDFF, FE70 to FEFE
        case (0xEF, 0xAC, 0x9D...), (0xEF, 0xAD...0xB7, _), (0xEF, 0xB9, 0xB0...), (0xEF, 0xBA, _),
            (0xEF, 0xBB, 0x80...0xBE):
            true
        // U+10800 to 10FFF, 1E800 to 1EFFF
        case (0xF0, 0x90, 0xA0...), (0xF0, 0x9E, 0xA0...): true
        case _: false
        }
    }
}
