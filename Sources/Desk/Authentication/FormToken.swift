import Crypto
import HTTP
import Operations

/// The hidden field that tells our own forms from forged ones (OWASP: HMAC-based token, one per session).
///
/// It is masked with new random bytes in each page, so that compression tells nothing about it.
enum FormToken {
    private static let purpose = Array("perennial form token".utf8)

    /// - Parameter secret: the session's token, or the visitor's before there is a session.
    static func issue(for secret: SecretToken) -> String {
        let mask = SecretToken.random().bytes
        return (mask + zip(mask, code(for: secret)).map { $0 ^ $1 }).hexadecimal
    }

    /// Takes the same time wherever a wrong token differs.
    static func accepts(_ text: String?, for secret: SecretToken) -> Bool {
        guard let bytes = text.flatMap({ [UInt8](hexadecimal: $0) }), bytes.count == 2 * SecretToken.byteCount else {
            return false
        }
        let unmasked = zip(bytes.prefix(SecretToken.byteCount), bytes.suffix(SecretToken.byteCount)).map { $0 ^ $1 }
        return SecretComparison.areEqual(unmasked, code(for: secret))
    }

    private static func code(for secret: SecretToken) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: purpose, using: SymmetricKey(data: secret.bytes)))
    }
}
