import Foundation

/// Tells passwords that whoever guesses tries first: common ones, what is known of the account, and both with trivial changes
/// (capital letters, look-alike signs, a few digits or signs around it, said twice), and runs of the alphabet or the keyboard.
struct GuessablePassword {
    /// What is known of the account and the product, in small letters and digits, the longest first.
    private let known: [String]

    /// - Parameter email: the account's address: its name and its domain's are known to everybody.
    init(of email: String) {
        let parts = email.lowercased().split(separator: "@", maxSplits: 1).map(String.init)
        let name = parts.first ?? ""
        let domain = (parts.count > 1 ? parts[1] : "").split(separator: ".").dropLast().map(String.init)
        let pieces = ([name] + domain).flatMap { text in
            [text] + text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        known = Set((pieces + [Self.product]).map(Self.compact)).filter { $0.count >= Self.shortestWord }
            .sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Whether it is among what is guessed first.
    func isGuessed(_ password: String) -> Bool {
        let text = password.precomposedStringWithCompatibilityMapping.lowercased()
        if Self.isRun(text) { return true }
        if let unit = Self.repeated(in: text), unit.count < Self.shortestUnit || isGuessedOnce(unit) { return true }
        return isGuessedOnce(text)
    }

    private func isGuessedOnce(_ text: String) -> Bool {
        CommonPasswords.contains(text) || Self.cores(of: text).contains { isKnown($0.core) && $0.isLittleAround }
    }

    /// Common, or nothing but what is known of the account, but for a common word or a few letters.
    private func isKnown(_ core: String) -> Bool {
        if core.count >= Self.shortestWord, CommonPasswords.contains(core) { return true }
        let rest = known.reduce(core) { $0.replacing($1, with: "") }
        return rest != core && (rest.count < Self.shortestWord || CommonPasswords.contains(rest))
    }

    private static let product = "perennial"
    private static let shortestWord = 4
    /// What is said again and again is at least so long.
    private static let shortestUnit = 8
    /// So many digits and signs at an end are tried as letters.
    private static let mostLookAlikes = 16

    // MARK: What is left of a password without its decoration

    private struct Core {
        /// Letters and digits.
        var core: String
        /// Whether what stood around it adds next to nothing.
        var isLittleAround: Bool
    }

    /// Every way to take the digits and signs off one end or both, and to read look-alike signs as letters.
    private static func cores(of text: String) -> [Core] {
        let characters = Array(text)
        guard characters.contains(where: \.isLetter) else { return [] }
        let ends = decorations(of: characters.reversed())
        return decorations(of: characters).flatMap { start in
            ends.flatMap { end in
                let around = String(characters[..<start] + characters[(characters.count - end)...])
                let core = characters[start..<(characters.count - end)]
                return Set([compact(String(core)), read(core, one: "i"), read(core, one: "l")]).map {
                    Core(core: $0, isLittleAround: isLittle(around))
                }
            }
        }
    }

    /// How many signs at the beginning may be decoration: the others may stand for letters.
    private static func decorations(of characters: [Character]) -> Set<Int> {
        let all = characters.prefix { !$0.isLetter }.count
        return Set(0...min(all, mostLookAlikes)).union([all])
    }

    /// A few digits and signs, or more that follow a rule.
    private static func isLittle(_ text: String) -> Bool {
        text.count <= 6 || Set(text).count <= 2 || isRun(text) || repeated(in: text) != nil
            || CommonPasswords.contains(text)
    }

    private static func read(_ text: ArraySlice<Character>, one: Character) -> String {
        compact(String(text.map { $0 == "1" || $0 == "!" || $0 == "|" ? one : lookAlikes[$0] ?? $0 }))
    }

    private static let lookAlikes: [Character: Character] = [
        "0": "o", "3": "e", "4": "a", "@": "a", "5": "s", "$": "s", "7": "t", "+": "t", "8": "b", "9": "g", "€": "e",
    ]

    private static func compact(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }

    // MARK: What follows a rule

    /// What a text repeats from its beginning to its end, the last time perhaps not whole; nil when nothing.
    private static func repeated(in text: String) -> String? {
        let characters = Array(text)
        guard characters.count >= 2 else { return nil }
        let length = (1...(characters.count / 2)).first { length in
            characters.indices.allSatisfy { characters[$0] == characters[$0 % length] }
        }
        return length.map { String(characters[..<$0]) }
    }

    /// Whether it consists of a few runs of neighbours: in the alphabet, among the digits, on a keyboard's row, either way.
    private static func isRun(_ text: String) -> Bool {
        let characters = Array(text)
        guard characters.count >= shortestWord else { return false }
        var pieces = 1
        var direction: Int?
        for (one, next) in zip(characters, characters.dropFirst()) {
            let step = step(from: one, to: next)
            if let step, direction == nil || direction == step {
                direction = step
            } else {
                (pieces, direction) = (pieces + 1, nil)
            }
        }
        return pieces * shortestWord <= characters.count
    }

    /// 1 forward, -1 back, 0 the same again; nil when they are no neighbours.
    private static func step(from one: Character, to next: Character) -> Int? {
        if one == next { return 0 }
        return rows.lazy.compactMap { row -> Int? in
            guard let here = row.firstIndex(of: one), let there = row.firstIndex(of: next) else { return nil }
            let step = there - here
            return step == 1 || step == -1 ? step : nil
        }.first
    }

    private static let rows: [[Character]] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop",
        "qwertyuıopğü", "asdfghjklşi", "zxcvbnmöç", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю",
    ].map(Array.init)
}
