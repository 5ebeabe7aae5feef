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
                word.add(letter, isBehindBlank: isBlank(before: position))
            } else if byte < 0x80 {
                guard Self.marks.contains(byte), word.mayStand(behindDigit: hasDigit) else { return false }
                word = Word()
            } else {
                guard let sign = sign(at: position) else { return false }
                length = sign.length
                switch sign.kind {
                case .letter(let letter): word.add(letter, isBehindBlank: isBlank(before: position))
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

    private func isBlank(before index: Int) -> Bool { index > 0 && bytes[index - 1] == 0x20 }

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
        // Ü, é, ç and their like, by the letter that they come from.
        case (0xC3, 0x80...0xBF, _): Self.latin(byte(1) | 0x20).map { Sign(kind: .letter($0), length: 2) }
        // Ğ, İ, ı and Ş.
        case (0xC4, 0x9E...0x9F, _): Sign(kind: .letter(UInt8(ascii: "g")), length: 2)
        case (0xC4, 0xB0...0xB1, _): Sign(kind: .letter(UInt8(ascii: "i")), length: 2)
        case (0xC5, 0x9E...0x9F, _): Sign(kind: .letter(UInt8(ascii: "s")), length: 2)
        // Blanks, and the signs of currencies.
        case (0xE2, 0x80, 0xAF), (0xE2, 0x82, _), (0xE3, 0x80, 0x80): Sign(kind: .mark, length: 3)
        // 年, 月, 日, 时, 時, 分, 秒, and 上午 and 下午, which are before noon and after.
        case (0xE5, 0xB9, 0xB4), (0xE6, 0x9C, 0x88), (0xE6, 0x97, 0xA5), (0xE6, 0x97, 0xB6), (0xE6, 0x99, 0x82),
            (0xE5, 0x88, 0x86), (0xE7, 0xA7, 0x92), (0xE4, 0xB8, 0x8A...0x8B), (0xE5, 0x8D, 0x88):
            Sign(kind: .mark, length: 3)
        // Wide digits, letters, the marks $ % ( ) + - . / and :, £ and ¥.
        case (0xEF, 0xBC, 0x90...0x99): Sign(kind: .digit, length: 3)
        case (0xEF, 0xBC, 0xA1...0xBA): Sign(kind: .letter(byte(2) - 0x40), length: 3)
        case (0xEF, 0xBD, 0x81...0x9A): Sign(kind: .letter(byte(2) - 0x20), length: 3)
        case (0xEF, 0xBC, 0x84...0x8B), (0xEF, 0xBC, 0x8D...0x8F), (0xEF, 0xBC, 0x9A), (0xEF, 0xBF, 0xA1),
            (0xEF, 0xBF, 0xA5):
            Sign(kind: .mark, length: 3)
        case _: nil
        }
    }

    /// The letter without its mark; nil for one that no month's name has.
    ///
    /// - Parameter second: the second byte of a small letter from U+00E0 to 00FF.
    private static func latin(_ second: UInt8) -> UInt8? {
        switch second {
        case 0xA0...0xA5: UInt8(ascii: "a")
        case 0xA7: UInt8(ascii: "c")
        case 0xA8...0xAB: UInt8(ascii: "e")
        case 0xAC...0xAF: UInt8(ascii: "i")
        case 0xB1: UInt8(ascii: "n")
        case 0xB2...0xB6: UInt8(ascii: "o")
        case 0xB9...0xBC: UInt8(ascii: "u")
        case _: nil
        }
    }

    /// A run of letters, as far as eight of them tell.
    private struct Word {
        private var text: UInt64 = 0
        private var isBehindBlank = false
        private(set) var length = 0

        mutating func add(_ letter: UInt8, isBehindBlank: Bool) {
            if length == 0 { self.isBehindBlank = isBehindBlank }
            if length < 8 { text = text << 8 | UInt64(letter) }
            length += 1
        }

        /// True for a month's name, and behind a digit for the letters of exponents, times and money.
        func mayStand(behindDigit: Bool) -> Bool {
            length == 0 || Self.months.contains(text) || Self.halves.contains(text)
                || behindDigit && (Self.ofNumbers.contains(text) || isBehindBlank && Self.halfLetters.contains(text))
        }

        var isTruth: Bool { Self.truths.contains(text) }

        /// In English, Turkish, German, French, Spanish, Italian and Portuguese.
        private static let months = packed(
            "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august "
                + "september october november december oca sub nis haz tem agu eyl eki kas ara ocak subat mart nisan "
                + "mayis haziran temmuz agustos eylul ekim kasim aralik mrz mai okt dez januar februar marz juni juli "
                + "oktober dezember janv fevr mars avr juin juil aout janvier fevrier avril juillet septembre octobre "
                + "novembre decembre ene abr ago dic enero febrero marzo abril mayo junio julio agosto septiembre "
                + "octubre noviembre diciembre gen mag giu lug set ott gennaio febbraio aprile maggio giugno luglio "
                + "settembre ottobre dicembre fev out janeiro fevereiro marco maio junho julho setembro outubro "
                + "novembro dezembro"
        )
        private static let ofNumbers = packed("e t z tl kr")
        /// Before noon and after, also before the time.
        private static let halves = packed("am pm oo os")
        /// Excel reads `5 p` as 17:00, and `5p` as text.
        private static let halfLetters = packed("a p")
        private static let truths = packed(
            "true false dogru yanlis wahr falsch vrai faux verdadero falso vero verdadeiro"
        )

        private static func packed(_ words: String) -> Set<UInt64> {
            Set(words.split(separator: " ").map { $0.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } })
        }
    }
}
