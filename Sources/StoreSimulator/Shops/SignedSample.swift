import Crypto
import CryptoExtras
import Foundation

/// A message that is signed with RSA of 2,048 bits and SHA-256, as those of WeChat Pay, Alipay and Google Play are.
package struct SignedSample: Sendable {
    private let message: Data
    private let signature: _RSA.Signing.RSASignature
    private let key: _RSA.Signing.PublicKey

    /// - Parameter length: how many bytes are signed.
    /// - Throws: where no key can be made.
    package init(length: Int) throws {
        let own = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        message = Data(repeating: UInt8(ascii: "a"), count: max(1, length))
        signature = try own.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        key = own.publicKey
    }

    /// Checks it anew each time.
    package var isAuthentic: Bool {
        key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    }
}
