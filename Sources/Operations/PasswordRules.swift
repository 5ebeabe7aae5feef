import Foundation

/// What a new password must be like: long rather than colourful (ASVS 6.2).
package enum PasswordRules {
    package static let lengths = 12...128

    /// - Throws: `OperationsError` with `.invalid` and the field `password`.
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
    }
}
