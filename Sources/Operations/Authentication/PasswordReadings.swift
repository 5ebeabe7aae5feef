/// The ways to read a password: what is typed is often another spelling of something common.
enum PasswordReadings {
    /// The text itself, with plain letters for those that Turkish adds, and with the digits on whose keys its signs are.
    static func ofKeys(_ text: String) -> Set<[Character]> {
        Set([Array(text), text.map { plainLetters[$0] ?? $0 }, text.map { digits[$0] ?? $0 }])
    }

    /// The text itself, then with the letters that its digits and signs look like, `1` as an i and as an l.
    static func ofLookAlikes(_ text: [Character]) -> [[Character]] {
        let ones: [Character] = ["i", "l"]
        return ones.reduce(into: [text]) { readings, one in
            let reading = text.map { $0 == "1" || $0 == "!" || $0 == "|" ? one : lookAlikes[$0] ?? $0 }
            if !readings.contains(reading) { readings.append(reading) }
        }
    }

    /// The small form of `İ` is an i with a dot of its own.
    private static let plainLetters: [Character: Character] = [
        "ç": "c", "ğ": "g", "ı": "i", "i\u{307}": "i", "ö": "o", "ş": "s", "ü": "u", "â": "a", "î": "i", "û": "u",
    ]

    private static let digits: [Character: Character] = [
        "!": "1", "@": "2", "#": "3", "$": "4", "%": "5", "^": "6", "&": "7", "*": "8", "(": "9", ")": "0",
    ]

    private static let lookAlikes: [Character: Character] = [
        "0": "o", "3": "e", "4": "a", "@": "a", "5": "s", "$": "s", "7": "t", "+": "t", "8": "b", "9": "g", "€": "e",
    ]
}
