import CryptoExtras
import Foundation

/// Reads RSA keys as Alipay's console and tools write them: PEM, or its base64 alone in one line, PKCS#8 or PKCS#1.
enum AlipayKeyText {
    static func privateKey(_ text: String) -> _RSA.Signing.PrivateKey? {
        der(text).flatMap { try? _RSA.Signing.PrivateKey(derRepresentation: $0) }
    }

    static func publicKey(_ text: String) -> _RSA.Signing.PublicKey? {
        der(text).flatMap { try? _RSA.Signing.PublicKey(derRepresentation: $0) }
    }

    private static func der(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= longest else { return nil }
        let body = text.replacing(/-----(BEGIN|END) [A-Z0-9 ]{1,40}-----/, with: "").filter { !$0.isWhitespace }
        return Base64.decode(standard: Array(body.utf8))
    }

    /// A key of 4,096 bits has about 3,300 letters.
    private static let longest = 10_000
}
