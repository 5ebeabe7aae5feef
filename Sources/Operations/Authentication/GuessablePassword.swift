import Foundation

/// Recognises the passwords that are guessed first: common ones, known facts about the account, and both with trivial changes (capital
/// letters, look-alike signs, a few digits or signs around it, repetition); combinations of common pieces; and runs of the alphabet or the
/// keyboard.
struct GuessablePassword {
    /// The known facts about the account and the product, in lower-case letters and digits, the longest first.
    private let known: [String]

    /// - Parameter email: the account's address: its name and its domain are known to everybody.
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

    /// True if the password is guessed first; never for a text longer than a password may be.
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
    /// The shortest unit of a repetition that may pass.
    private static let shortestUnit = 8
    /// The largest number of digits and signs at one end that are also tried as letters.
    private static let mostLookAlikes = 10

    // MARK: Passwords without their decoration

    /// True if the text is known without the digits and signs at one end or both, with look-alike signs read as letters.
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

    /// True if the text between the digits and signs at its ends repeats something known.
    private func isRepetition(_ text: [Character]) -> Bool {
        let start = text.prefix { !$0.isLetter }.count
        let end = text.dropFirst(start).reversed().prefix { !$0.isLetter }.count
        let core = Self.compact(text.dropFirst(start).dropLast(end))
        guard let unit = Self.repeated(in: Array(core)) else { return false }
        return isKnown(String(unit)) && Self.isLittle(Array(text.prefix(start) + text.suffix(end)))
    }

    /// Common, or made of known facts about the account, apart from a common word or a few letters.
    private func isKnown(_ core: String) -> Bool {
        if core.count >= Self.shortestWord, CommonPasswords.contains(core) { return true }
        let rest = known.reduce(core) { $0.replacing($1, with: "") }
        return rest != core && (rest.count < Self.shortestWord || CommonPasswords.contains(rest))
    }

    /// The possible numbers of decorating signs at the beginning: the other signs may stand for letters.
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

    /// The unit that a text repeats from beginning to end, the last one perhaps incomplete; nil if there is none.
    private static func repeated(in text: [Character]) -> [Character]? {
        guard text.count >= 2 else { return nil }
        let length = (1...(text.count / 2)).first { length in
            text.indices.allSatisfy { text[$0] == text[$0 % length] }
        }
        return length.map { Array(text.prefix($0)) }
    }
}
