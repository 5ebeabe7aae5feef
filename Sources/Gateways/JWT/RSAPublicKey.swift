import Crypto
import CryptoExtras
import Foundation

extension _RSA.Signing.PublicKey {
    /// A key of a JWK set (RFC 7518, 6.3.1).
    ///
    /// nil for a key of less than 2048 bits, or of more than 8192: checking one takes long.
    init?(jwk: JSON) {
        guard let modulus = Self.number("n", of: jwk), (256...1_024).contains(modulus.count),
            let exponent = Self.number("e", of: jwk), (1...8).contains(exponent.count)
        else { return nil }
        do {
            try self.init(n: modulus, e: exponent)
        } catch {
            return nil
        }
    }

    /// True if the signature is the key's over the bytes, with SHA-256 (RFC 8017, 8.2): JWTs call that RS256, Alipay calls it RSA2.
    func signed(_ bytes: [UInt8], as signature: [UInt8]) -> Bool {
        isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: bytes),
            padding: .insecurePKCS1v1_5
        )
    }

    private static func number(_ name: String, of jwk: JSON) -> Data? {
        jwk[name]?.string.flatMap { Base64.decode(url: $0.utf8) }.map { Data($0.drop { $0 == 0 }) }
    }
}
