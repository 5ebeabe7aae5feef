/// A code that a customer types to get a plan: 12 characters of Crockford's base 32, of 60 random bits.
///
/// The alphabet has no I, L, O and U: the first three are read as 1, 1 and 0; U is left out so that codes spell no words.
package struct PromoCode: Hashable, Sendable {
    /// 12 characters without hyphens.
    package let text: String

    package static let length = 12
    package static let bitCount = 60

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// - Parameter bits: the lowest 60 are taken.
    package init(bits: UInt64) {
        var text = ""
        for place in (0..<Self.length).reversed() {
            text.append(Self.alphabet[Int(bits >> (5 * UInt64(place)) & 31)])  // safe: 31 is the last of 32
        }
        self.text = text
    }

    /// Reads what was typed, in whichever case and width, with spaces and hyphens anywhere; nil for what is no code.
    package init?(_ typed: String) {
        var text = ""
        for scalar in typed.unicodeScalars {
            guard let narrow = Self.narrow(scalar) else { return nil }
            if Self.isSeparator(narrow) { continue }
            guard text.count < Self.length, let character = Self.canonical(narrow) else { return nil }
            text.append(character)
        }
        guard text.count == Self.length else { return nil }
        self.text = text
    }

    /// The printed form: `7K3M-Q9ZD-2XVA`.
    package var grouped: String {
        let characters = Array(text)
        return stride(from: 0, to: characters.count, by: 4)
            .map { String(characters[$0..<min($0 + 4, characters.count)]) }  // safe: within the text
            .joined(separator: "-")
    }

    /// The ASCII that an East Asian keyboard writes wide (U+FF01 to U+FF5E); nil for what is neither.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x20...0x7E: scalar
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)  // safe: at least 0x21
        // Wide and unbreakable spaces, and the dashes that keyboards put for hyphens.
        case 0x09, 0xA0, 0x3000: " "
        case 0x2010...0x2015, 0x2212: "-"
        case _: nil
        }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "-" }

    private static func canonical(_ scalar: Unicode.Scalar) -> Character? {
        switch scalar {
        case "i", "I", "l", "L": return "1"
        case "o", "O": return "0"
        case _:
            let capital = Character(scalar.properties.uppercaseMapping)
            return alphabet.contains(capital) ? capital : nil
        }
    }
}

extension PromoCode: CustomStringConvertible, CustomReflectable {
    /// Whoever reads a code can use it: logs do not.
    package var description: String { "a promo code" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
