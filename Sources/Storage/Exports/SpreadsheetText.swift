/// A text as a cell that no spreadsheet evaluates or changes, whichever of comma, semicolon and tab it takes for the separator.
///
/// An apostrophe goes before a text that would be a formula or that would be read as a number, a date or a truth value and written
/// differently (OWASP, "CSV Injection"; 15 digits are what a spreadsheet's number holds). Inside a text it goes before a formula that
/// begins behind a semicolon, a tab or a line break, where another separator begins a cell. Apostrophes that are there
/// already are kept, so that taking the added ones away gives the text again.
package struct SpreadsheetText {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The text without the apostrophes that a file of ours has for spreadsheets.
    ///
    /// Apostrophes before anything else belong to the text.
    package static func restored(_ text: String) -> String {
        guard text.utf8.contains(apostrophe) else { return text }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            let cell = SpreadsheetText(bytes)
            let kept = bytes.indices.filter { index in
                !(bytes[index] == apostrophe && cell.isStart(index) && cell.needsApostrophe(at: index))
            }
            return String(decoding: kept.map { bytes[$0] }, as: UTF8.self)
        }
    }

    /// True for what a spreadsheet made of a longer number: `2.00000079657E+15`, with a comma where a locale has one.
    package static func isShortenedNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9](?:[.,][0-9]{1,15})?[Ee]\+[0-9]{1,3}/) != nil
    }

    /// Writes the text with its apostrophes, and each quotation mark twice.
    func append(to output: inout [UInt8]) {
        var isPlain = true
        for byte in bytes where byte == Self.quote || Self.isBreak(byte) { isPlain = false }
        if needsApostrophe(at: 0) { output.append(Self.apostrophe) }
        guard !isPlain else { return output.append(contentsOf: bytes) }
        for index in bytes.indices {
            if index > 0, Self.isBreak(bytes[index - 1]), needsApostrophe(at: index) { output.append(Self.apostrophe) }
            if bytes[index] == Self.quote { output.append(Self.quote) }
            output.append(bytes[index])
        }
    }

    private static let apostrophe = UInt8(ascii: "'")
    private static let quote = UInt8(ascii: "\"")

    /// True for a byte that ends a cell under another separator, or where a quotation mark is lost.
    private static func isBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// True if a cell begins there in some reading.
    private func isStart(_ index: Int) -> Bool { index == 0 || Self.isBreak(bytes[index - 1]) }

    private func needsApostrophe(at start: Int) -> Bool {
        var position = start
        while position < bytes.count, bytes[position] == Self.apostrophe { position += 1 }
        let text = position
        while let blank = blank(at: position) { position += blank }
        guard position < bytes.count else { return false }
        if isSign(at: position) { return true }
        guard start == 0 else { return false }
        return bytes[position] == 0x09 || bytes[position] == 0x0A || bytes[position] == 0x0D
            || SpreadsheetValue(UnsafeRawBufferPointer(rebasing: bytes[text...])).isChanged
    }

    /// The number of bytes of a blank, a mark without width, a control character or a quotation mark; nil for anything else.
    private func blank(at index: Int) -> Int? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case 0x09, 0x0A, 0x0D: return nil
        case 0...0x20, Self.quote: return 1
        // U+00A0
        case 0xC2: return byte(index + 1) == 0xA0 ? 2 : nil
        case 0xE2:
            // U+2000 to 200F, 2028 to 202F, 205F to 206F
            switch (byte(index + 1), byte(index + 2)) {
            case (0x80, 0x80...0x8F), (0x80, 0xA8...0xAF), (0x81, 0x9F...0xAF): return 3
            case _: return nil
            }
        // U+3000
        case 0xE3: return byte(index + 1) == 0x80 && byte(index + 2) == 0x80 ? 3 : nil
        // U+FEFF
        case 0xEF: return byte(index + 1) == 0xBB && byte(index + 2) == 0xBF ? 3 : nil
        case _: return nil
        }
    }

    /// Also the wide signs (U+FF1D, FF0B, FF0D, FF20) and the small ones (U+FE66, FE62, FE63, FE6B) that an East Asian keyboard gives
    /// and Excel reads as the narrow ones, and U+2212.
    private func isSign(at index: Int) -> Bool {
        switch (bytes[index], byte(index + 1), byte(index + 2)) {
        case (UInt8(ascii: "="), _, _), (UInt8(ascii: "+"), _, _), (UInt8(ascii: "-"), _, _), (UInt8(ascii: "@"), _, _):
            true
        case (0xEF, 0xBC, 0x9D), (0xEF, 0xBC, 0x8B), (0xEF, 0xBC, 0x8D), (0xEF, 0xBC, 0xA0): true
        case (0xEF, 0xB9, 0xA6), (0xEF, 0xB9, 0xA2), (0xEF, 0xB9, 0xA3), (0xEF, 0xB9, 0xAB): true
        case (0xE2, 0x88, 0x92): true
        case _: false
        }
    }

    /// A byte; 0 behind the end.
    private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
}
