import Crypto
import CryptoExtras
import Foundation
import Gateways

/// A signing key of the simulated sign-in.
struct SimulatedAppleKey: Sendable {
    let id: String
    private let key: _RSA.Signing.PrivateKey
    /// The key as `/auth/keys` serves it.
    let jwk: JSON

    init(id: String) throws {
        self.id = id
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        jwk = [
            "kty": "RSA", "kid": .string(id), "use": "sig", "alg": "RS256",
            "n": .string(String(decoding: Base64.encode(url: Array(numbers.modulus)), as: UTF8.self)),
            "e": .string(String(decoding: Base64.encode(url: Array(numbers.publicExponent)), as: UTF8.self)),
        ]
    }

    func sign(_ claims: JSON) throws -> String {
        let header: JSON = ["kid": .string(id), "alg": "RS256"]
        let input = Base64.encode(url: header.bytes) + [UInt8(ascii: ".")] + Base64.encode(url: claims.bytes)
        let signature = try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
        let token = input + [UInt8(ascii: ".")] + Base64.encode(url: Array(signature.rawRepresentation))
        return String(decoding: token, as: UTF8.self)
    }
}

extension FormFields {
    /// Returns the fields of a form; of repeated names the last counts.
    static func decode(_ body: Data) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? ""
            }
            if let name = parts.first, parts.count == 2, let value = parts.last { fields[name] = value }
        }
        return fields
    }
}
