import Billing
package import Crypto
import CryptoExtras
import Foundation

/// A key that tokens are verified with. Each is good for one algorithm, whatever a token says.
package struct JWTKey: Sendable {
    let id: String?
    private let kind: Kind

    private enum Kind: Sendable {
        case es256(P256.Signing.PublicKey)
        case rs256(_RSA.Signing.PublicKey)
        case eddsa(Curve25519.Signing.PublicKey)
        case hs256(SymmetricKey)
    }

    package init(id: String, _ key: P256.Signing.PublicKey) {
        self.id = id
        kind = .es256(key)
    }

    init(sharedSecret: Secret) {
        id = nil
        kind = .hs256(SymmetricKey(data: Data(sharedSecret.revealed.utf8)))
    }

    /// A member of a JWK set (RFC 7517, 4).
    ///
    /// nil for a key that is not for signatures, or is of a kind that is not taken: an RSA key of less than 2048 bits among them.
    init?(_ jwk: JSON) {
        guard [nil, "sig"].contains(jwk["use"]?.string), let kind = Self.kind(of: jwk) else { return nil }
        id = jwk["kid"]?.string
        self.kind = kind
        guard [nil, algorithm.rawValue].contains(jwk["alg"]?.string) else { return nil }
    }

    var algorithm: TokenIssuer.Algorithm {
        switch kind {
        case .es256: .es256
        case .rs256: .rs256
        case .eddsa: .eddsa
        case .hs256: .hs256
        }
    }

    /// True where the token is signed with it, by the key's own algorithm.
    func signed(_ token: JWT) -> Bool {
        guard token.algorithm == algorithm.rawValue else { return false }
        let (signature, text) = (Data(token.signature), Data(token.signed))
        switch kind {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: text)
        case .eddsa(let key): return key.isValidSignature(signature, for: text)
        case .rs256(let key): return key.signed(token.signed, as: token.signature)
        case .hs256(let key): return HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: text, using: key)
        }
    }

    private static func kind(of jwk: JSON) -> Kind? {
        switch (jwk["kty"]?.string, jwk["crv"]?.string) {
        case ("EC", "P-256"):
            guard let x = coordinate("x", of: jwk), let y = coordinate("y", of: jwk),
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            return .es256(key)
        case ("OKP", "Ed25519"):
            guard let x = coordinate("x", of: jwk), let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
            else { return nil }
            return .eddsa(key)
        case ("RSA", _): return _RSA.Signing.PublicKey(jwk: jwk).map(Kind.rs256)
        default: return nil
        }
    }

    private static func coordinate(_ name: String, of jwk: JSON) -> Data? {
        guard let text = jwk[name]?.string, let bytes = Base64.decode(url: text.utf8), bytes.count == 32 else {
            return nil
        }
        return Data(bytes)
    }
}
