/// A text as a spreadsheet sees it that looks for numbers, dates, times and truth values.
///
/// It errs on the side of text: an apostrophe too many is taken back, a zero that is gone is not.
struct SpreadsheetValue {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// True if a spreadsheet reads a value there and writes it differently: `007`, `1E5`, `2000000796570433`, `3/4`, `MAR1`, `true`.
    var isChanged: Bool {
        guard !bytes.isEmpty, bytes.count <= Self.longest, !isShortInteger else { return false }
        var (hasDigit, position) = (false, 0)
        var word = Word()
        while position < bytes.count {
            let byte = bytes[position]
            var length = 1
            if Self.isDigit(byte) {
                guard word.mayStand(behindDigit: hasDigit) else { return false }
                (word, hasDigit) = (Word(), true)
            } else if let letter = Self.letter(byte) {
                word.add(letter)
            } else if byte < 0x80 {
                guard Self.marks.contains(byte), word.mayStand(behindDigit: hasDigit) else { return false }
                word = Word()
            } else {
                guard let sign = sign(at: position) else { return false }
                length = sign.length
                switch sign.kind {
                case .letter(let letter): word.add(letter)
                case .digit, .mark:
                    guard word.mayStand(behindDigit: hasDigit) else { return false }
                    word = Word()
                    if case .digit = sign.kind { hasDigit = true }
                }
            }
            position += length
        }
        return hasDigit ? word.mayStand(behindDigit: true) : word.isTruth && word.length == bytes.count - foldedBytes
    }

    /// Longer texts are no value.
    private static let longest = 128

    /// Up to fifteen digits without a zero in front come back as they went.
    private var isShortInteger: Bool {
        bytes.count <= 15 && bytes.allSatisfy(Self.isDigit) && (bytes.count == 1 || bytes[0] != UInt8(ascii: "0"))
    }

    /// The bytes that letters of several bytes have more than one letter has.
    private var foldedBytes: Int { bytes.count { $0 & 0xC0 == 0x80 } }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// A letter in lower case.
    private static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 0x20
        case _: nil
        }
    }

    private static let marks = Set(" .,:/-+%()$'".utf8)

    private struct Sign {
        var kind: Kind
        var length: Int

        enum Kind {
            case digit
            case letter(UInt8)
            case mark
        }
    }

    /// A character of several bytes that numbers, dates and the names of months are written with.
    private func sign(at index: Int) -> Sign? {
        func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
        return switch (bytes[index], byte(1), byte(2)) {
        // A blank, £ and ¥.
        case (0xC2, 0xA0, _), (0xC2, 0xA3, _), (0xC2, 0xA5, _): Sign(kind: .mark, length: 2)
        // Ü, ö, Ğ, İ, Ş and their like, by the letter that they come from.
        case (0xC3, 0x9C, _), (0xC3, 0xBC, _): Sign(kind: .letter(UInt8(ascii: "u")), length: 2)
        case (0xC3, 0x96, _), (0xC3, 0xB6, _): Sign(kind: .letter(UInt8(ascii: "o")), length: 2)
        case (0xC4, 0x9E...0x9F, _): Sign(kind: .letter(UInt8(ascii: "g")), length: 2)
        case (0xC4, 0xB0...0xB1, _): Sign(kind: .letter(UInt8(ascii: "i")), length: 2)
        case (0xC5, 0x9E...0x9F, _): Sign(kind: .letter(UInt8(ascii: "s")), length: 2)
        // Blanks, and the signs of currencies.
        case (0xE2, 0x80, 0xAF), (0xE2, 0x82, _), (0xE3, 0x80, 0x80): Sign(kind: .mark, length: 3)
        // 年, 月, 日, 时, 分 and 秒.
        case (0xE5, 0xB9, 0xB4), (0xE6, 0x9C, 0x88), (0xE6, 0x97, 0xA5), (0xE6, 0x97, 0xB6), (0xE5, 0x88, 0x86),
            (0xE7, 0xA7, 0x92):
            Sign(kind: .mark, length: 3)
        case (0xEF, 0xBC, 0x90...0x99): Sign(kind: .digit, length: 3)
        // The wide forms of % - . / and :.
        case (0xEF, 0xBC, 0x85), (0xEF, 0xBC, 0x8D...0x8F), (0xEF, 0xBC, 0x9A): Sign(kind: .mark, length: 3)
        case _: nil
        }
    }

    /// A run of letters, as far as eight of them tell.
    private struct Word {
        private var text: UInt64 = 0
        private(set) var length = 0

        mutating func add(_ letter: UInt8) {
            if length < 8 { text = text << 8 | UInt64(letter) }
            length += 1
        }

        /// True for a month's name, and behind a digit for the letters of exponents and times.
        func mayStand(behindDigit: Bool) -> Bool {
            length == 0 || Self.months.contains(text) || behindDigit && Self.ofNumbers.contains(text)
        }

        var isTruth: Bool { Self.truths.contains(text) }

        /// In English and in Turkish.
        private static let months = packed(
            "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august "
                + "september october november december oca sub nis haz tem agu eyl eki kas ara ocak subat mart nisan "
                + "mayis haziran temmuz agustos eylul ekim kasim aralik"
        )
        private static let ofNumbers = packed("e t z am pm")
        private static let truths = packed("true false dogru yanlis")

        private static func packed(_ words: String) -> Set<UInt64> {
            Set(words.split(separator: " ").map { $0.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } })
        }
    }
}
