extension Strings {
    /// A text of somebody's within a sentence of ours: one that is written from right to left, or turns the writing round, moves nothing
    /// beside it (Unicode UAX #9, U+2068 and U+2069).
    func isolated(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xD6 }), text.unicodeScalars.contains(where: Self.turns) else {
            return text
        }
        return "\u{2068}" + text.withoutDirectionMarks + "\u{2069}"
    }

    /// Strong letters from right to left, and the characters that set a direction.
    private static func turns(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        case _: scalar.properties.isBidiControl
        }
    }
}

extension String {
    /// The text without the characters that set the direction of writing.
    package var withoutDirectionMarks: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.filter { !$0.properties.isBidiControl })
        return text
    }
}
