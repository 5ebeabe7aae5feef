import Foundation

/// Recognises the passwords that a guesser tries first: common ones, what is known of the account, and both with
/// trivial changes (capital letters, look-alike signs, a few digits or signs around it, said again); what common pieces
/// make up; and runs of the alphabet or the keyboard.
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
        known = Set((pieces + [Self.product]).map { Self.compact($0) }).filter { $0.count >= Self.shortestWord }
            .sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Whether it is among what is guessed first; what is longer than a password may be is not.
    func isGuessed(_ password: String) -> Bool {
        let text = password.precomposedStringWithCompatibilityMapping.lowercased()
        guard text.count <= PasswordRules.lengths.upperBound else { return false }
        return PasswordReadings.ofKeys(text).contains { isGuessed($0) }
    }

    private func isGuessed(_ text: [Character]) -> Bool {
        if isGuessedOnce(text) || KeyboardRuns.makeUp(text) { return true }
        guard let unit = Self.repeated(in: text) else { return false }
        return unit.count < Self.shortestUnit || isGuessedOnce(unit)
    }

    private func isGuessedOnce(_ text: [Character]) -> Bool {
        CommonPasswords.contains(String(text)) || isDecorated(text) || isRepetition(text)
            || PasswordPieces(text, known: known).areGuessed
    }

    private static let product = "perennial"
    private static let shortestWord = 4
    /// What is said again and again is at least so long.
    private static let shortestUnit = 8
    /// So many digits and signs at an end are tried as letters.
    private static let mostLookAlikes = 10

    // MARK: What is left of a password without its decoration

    /// Whether it is known once digits and signs are off one end or both, and look-alike signs are read as letters.
    private func isDecorated(_ text: [Character]) -> Bool {
        guard text.contains(where: \.isLetter) else { return false }
        let starts = Self.decorations(of: text)
        let ends = Self.decorations(of: text.reversed())
        return PasswordReadings.ofLookAlikes(text).contains { reading in
            starts.contains { start in
                ends.contains { end in
                    isKnown(Self.compact(reading.dropFirst(start).dropLast(end)))
                        && Self.isLittle(Array(text.prefix(start) + text.suffix(end)))
                }
            }
        }
    }

    /// Whether something known is said again and again between the digits and signs at its ends.
    private func isRepetition(_ text: [Character]) -> Bool {
        let start = text.prefix { !$0.isLetter }.count
        let end = text.dropFirst(start).reversed().prefix { !$0.isLetter }.count
        let core = Self.compact(text.dropFirst(start).dropLast(end))
        guard let unit = Self.repeated(in: Array(core)) else { return false }
        return isKnown(String(unit)) && Self.isLittle(Array(text.prefix(start) + text.suffix(end)))
    }

    /// Common, or nothing but what is known of the account, but for a common word or a few letters.
    private func isKnown(_ core: String) -> Bool {
        if core.count >= Self.shortestWord, CommonPasswords.contains(core) { return true }
        let rest = known.reduce(core) { $0.replacing($1, with: "") }
        return rest != core && (rest.count < Self.shortestWord || CommonPasswords.contains(rest))
    }

    /// How many signs at the beginning may be decoration: the others may stand for letters.
    private static func decorations(of text: [Character]) -> Set<Int> {
        let all = text.prefix { !$0.isLetter }.count
        return Set(0...min(all, mostLookAlikes)).union([all])
    }

    /// A few digits and signs, or more that follow a rule.
    private static func isLittle(_ around: [Character]) -> Bool {
        around.count <= 6 || Set(around).count <= 2 || KeyboardRuns.makeUp(around) || repeated(in: around) != nil
            || CommonPasswords.contains(String(around))
    }

    private static func compact(_ text: some Sequence<Character>) -> String {
        String(text.filter { $0.isLetter || $0.isNumber })
    }

    /// What a text repeats from its beginning to its end, the last time perhaps not whole; nil when nothing.
    private static func repeated(in text: [Character]) -> [Character]? {
        guard text.count >= 2 else { return nil }
        let length = (1...(text.count / 2)).first { length in
            text.indices.allSatisfy { text[$0] == text[$0 % length] }
        }
        return length.map { Array(text.prefix($0)) }
    }
}
