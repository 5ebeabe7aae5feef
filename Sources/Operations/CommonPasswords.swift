import Foundation

/// The passwords that are guessed first (ASVS 6.2.4), from `Passwords/common.txt`, which says where they come from.
enum CommonPasswords {
    /// In small letters, the most frequent first.
    static let all: [Substring] = {
        let file = EmbeddedFiles.passwords.first { $0.name == "common.txt" }
        let text = String(decoding: file?.bytes ?? [], as: UTF8.self)
        // What precedes the first empty line says where the list comes from.
        // safe: the file is part of the program, and the tests of guessed passwords read it
        guard let head = text.firstRange(of: "\n\n") else { preconditionFailure("Passwords/common.txt has no list") }
        return text[head.upperBound...].split(separator: "\n")  // safe: found in it
    }()

    private static let set = Set(all)

    static func contains(_ text: String) -> Bool {
        set.contains(Substring(text))
    }
}
