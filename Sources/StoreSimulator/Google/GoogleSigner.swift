import Crypto
package import CryptoExtras
import Foundation
package import Gateways

/// Google's own key: it signs identity tokens.
package struct GoogleSigner: Sendable {
    package let keyID: String
    private let key: _RSA.Signing.PrivateKey

    package init(_ key: _RSA.Signing.PrivateKey, keyID: String) {
        (self.key, self.keyID) = (key, keyID)
    }

    /// A JWT of the claims, signed with RS256.
    package func sign(_ claims: JSON) throws -> String {
        let header: JSON = ["alg": "RS256", "kid": .string(keyID), "typ": "JWT"]
        let input = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")] + Base64.encode(url: claims.bytes)
        let signature = try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
        let token = input + [UInt8(ascii: ".")] + Base64.encode(url: Array(signature.rawRepresentation))
        return String(decoding: token, as: UTF8.self)
    }

    /// `/oauth2/v3/certs`
    package var keySet: JSON {
        get throws {
            let parts = try key.publicKey.getKeyPrimitives()
            func text(_ data: Data) -> JSON {
                .string(String(decoding: Base64.encode(url: Array(data)), as: UTF8.self))
            }
            return [
                "keys": [
                    [
                        "kty": "RSA", "alg": "RS256", "use": "sig", "kid": .string(keyID), "n": text(parts.modulus),
                        "e": text(parts.publicExponent),
                    ]
                ]
            ]
        }
    }

    /// `/oauth2/v1/certs`
    package var pems: JSON { .object([JSON.Member(name: keyID, value: .string(key.publicKey.pemRepresentation))]) }
}
