import Crypto
package import Foundation

/// Compares secrets in a time that does not tell where they differ.
package enum SecretComparison {
    package static func areEqual(_ one: some ContiguousBytes, _ other: some ContiguousBytes) -> Bool {
        // The library's keys are compared in constant time, and are different when their lengths are.
        SymmetricKey(data: one) == SymmetricKey(data: other)
    }
}
