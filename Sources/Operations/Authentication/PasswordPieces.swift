import Foundation

/// A password as a guesser composes it: of words by frequency, years, runs and single characters.
struct PasswordPieces {
    private let text: [Character]
    private let readings: [[Character]]
    /// The known facts about the account.
    private let known: Set<Substring>

    init(_ text: [Character], known: [String]) {
        self.text = text
        self.known = Set(known.map { Substring($0) })
        readings = PasswordReadings.ofLookAlikes(text)
    }

    /// True if few guesses find it.
    ///
    /// The lowest cost of the pieces before each position is computed once, from left to right, and only for positions that few guesses
    /// reach: the work grows with the length, not with the number of ways to split.
    var areGuessed: Bool {
        var bits = [0.0] + Array(repeating: Double.infinity, count: text.count)
        for start in text.indices where bits[start] <= Self.few {
            for piece in pieces(at: start) {
                let end = start + piece.length
                bits[end] = min(bits[end], bits[start] + piece.bits)
            }
        }
        return bits.last.map { $0 <= Self.few } ?? true
    }

    /// About four million guesses, in bits: less than three words drawn from a book, far more than
    /// `password1password2`.
    private static let few = 22.0
    /// So long is a word at most.
    private static let longest = 24

    private struct Piece {
        let length: Int
        /// The logarithm of the guesses that it takes, to the base 2.
        let bits: Double
    }

    private func pieces(at start: Int) -> [Piece] {
        let rest = text.dropFirst(start)
        var pieces = rest.prefix(1).map(Self.single) + Self.years(rest)
        for length in stride(from: 3, through: KeyboardRuns.run(rest), by: 1) {
            pieces.append(Piece(length: length, bits: 5))
        }
        for reading in readings { pieces += words(of: reading, at: start) }
        return pieces
    }

    private static func single(_ character: Character) -> Piece {
        guard character.isLetter else { return Piece(length: 1, bits: character.isNumber ? 3.3 : 4) }
        return Piece(length: 1, bits: character.isASCII ? 4.7 : 8)
    }

    private static func years(_ rest: ArraySlice<Character>) -> [Piece] {
        let digits = String(rest.prefix(4))
        guard digits.count == 4, digits.allSatisfy(\.isNumber) else { return [] }
        return digits.hasPrefix("19") || digits.hasPrefix("20") ? [Piece(length: 4, bits: 6)] : []
    }

    /// The words that begin there: by their rank, next to nothing when they stood before, twice the guesses with
    /// look-alikes.
    private func words(of reading: [Character], at start: Int) -> [Piece] {
        let doubt: Double = reading == text ? 0 : 1
        var word = ""
        return reading.dropFirst(start).prefix(Self.longest).compactMap { character in
            word.append(character)
            guard let guesses = bits(of: Substring(word)) else { return nil }
            let isSaidAgain = text.prefix(start).contains(text.dropFirst(start).prefix(word.count))
            return Piece(length: word.count, bits: max(1, isSaidAgain ? 1 : guesses) + doubt)
        }
    }

    private func bits(of word: Substring) -> Double? {
        known.contains(word) ? 2 : CommonPasswords.rank(of: word).map { log2(Double($0)) }
    }
}
