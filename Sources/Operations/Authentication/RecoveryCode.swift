import Crypto

/// A single-use code for a person who lost the device with the second factor. 120 random bits, kept by us as their
/// SHA-256.
package struct RecoveryCode: Sendable, Hashable, CustomStringConvertible {
    /// The number of codes of an account.
    package static let count = 10

    /// `abcd-efgh-…`, six groups of four.
    package let description: String

    static func random() -> RecoveryCode {
        let letters = Array(Base32.text(of: Array(SecretToken.random().bytes.prefix(15))).lowercased())
        let groups = stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }
        return RecoveryCode(description: groups.joined(separator: "-"))
    }

    var hash: [UInt8] { Self.hash(of: description) }

    /// The stored hash of a code, however it is typed.
    static func hash(of typed: String) -> [UInt8] {
        let letters = typed.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        return Array(SHA256.hash(data: letters))
    }
}
