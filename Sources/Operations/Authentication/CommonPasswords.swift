import Foundation

/// The passwords that are guessed first (ASVS 6.2.4): leaked ones, and the words that people build passwords from. The files of `Passwords`
/// name their sources.
enum CommonPasswords {
    /// Leaked passwords in small letters, the most frequent first.
    static let leaked = lines(of: "common.txt")

    /// English words, the most frequent first.
    static let words = lines(of: "words.txt")

    static func contains(_ text: String) -> Bool {
        rank(of: Substring(text)) != nil
    }

    /// Its place in the list where it stands farthest ahead: 1 for the most frequent.
    static func rank(of text: Substring) -> Int? {
        ranks[text]
    }

    private static let ranks: [Substring: Int] = {
        var ranks: [Substring: Int] = [:]
        for list in [leaked, words, lines(of: "phrases.txt")] {
            for (place, entry) in list.enumerated() { ranks[entry] = min(ranks[entry] ?? .max, place + 1) }
        }
        // `trustno` is as well known as `trustno1`.
        for (place, password) in leaked.enumerated() {
            let stem = password.dropLast(password.reversed().prefix(while: \.isNumber).count)
            if stem.count >= 4, ranks[stem] == nil, stem.allSatisfy(\.isLetter) { ranks[stem] = place + 1 }
        }
        return ranks
    }()

    private static func lines(of name: String) -> [Substring] {
        let file = EmbeddedFiles.passwords.first { $0.name == name }
        let text = String(decoding: file?.bytes ?? [], as: UTF8.self)
        // The text before the first empty line names the source of the list.
        // safe: the file is part of the program, and the tests of guessed passwords read it
        guard let head = text.firstRange(of: "\n\n") else { preconditionFailure("Passwords/\(name) has no list") }
        return text[head.upperBound...].split(separator: "\n")  // safe: found in it
    }
}
