import Foundation

/// The rules for a new password: long rather than varied, and not one that is guessed first (ASVS 6.2).
package enum PasswordRules {
    package static let lengths = 12...128

    /// - Throws: `OperationsError` with `.invalid` and the field `password`; with the problem `.guessable` for one that is guessed first.
    package static func check(_ password: String, email: String) throws(OperationsError) {
        let composed = password.precomposedStringWithCanonicalMapping
        guard lengths.contains(composed.count), composed.utf8.count <= 1_024 else {
            throw OperationsError(
                .invalid,
                "A password has \(lengths.lowerBound) to \(lengths.upperBound) characters.",
                field: "password"
            )
        }
        guard !composed.utf8.contains(0) else {
            throw OperationsError(.invalid, "A password cannot contain a NUL character.", field: "password")
        }
        guard Set(composed).count >= 5 else {
            throw OperationsError(.invalid, "A password has at least five different characters.", field: "password")
        }
        guard composed.lowercased() != email.lowercased() else {
            throw OperationsError(.invalid, "The e-mail address cannot be the password.", field: "password")
        }
        guard !GuessablePassword(of: email).isGuessed(composed) else {
            throw OperationsError(problems: [FieldProblem("password", .guessable)])
        }
    }
}

extension OperationsError {
    /// True if a password was refused because it is guessed first.
    package var isGuessable: Bool { problems.contains { $0.kind == .guessable } }
}
