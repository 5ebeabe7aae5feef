import Billing
import Crypto
package import Foundation

/// Tells Apple's identity tokens from everybody else's (stores/apple.md, 5).
///
/// Format, algorithm, issuer, audience, times, key, signature, nonce; the first rung that fails is the error.
package struct AppleIdentityVerifier: Sendable {
    private let keys: JWTKeySet

    package init(keys: JWTKeySet) {
        self.keys = keys
    }

    /// Apple's have about a thousand letters.
    static let longestToken = 1 << 16

    /// - Parameters:
    ///   - nonce: the nonce that the app gave to Apple, or the text whose SHA-256 was that nonce; nil if it sends none. The caller makes
    ///     sure that each is used once.
    package func verify(
        _ token: String,
        clientIDs: Set<String>,
        nonce: String?,
        at now: Date
    ) async throws(JWTError) -> AppleIdentity {
        let (claims, clientID) = try await verifiedClaims(of: token, clientIDs: clientIDs, demanded: ["exp"], at: now)
        let identity = try AppleIdentity(claims, clientID: clientID)
        if let nonce { try identity.require(nonce) }
        return identity
    }

    /// The claims that Apple signed for one of the clients, and that client.
    func verifiedClaims(
        of token: String,
        clientIDs: Set<String>,
        demanded: [String] = [],
        at now: Date
    ) async throws(JWTError) -> (JWTClaims, clientID: String) {
        let rules = JWTRules(
            algorithms: [.rs256],
            needsKeyID: true,
            issuer: AppleSignInConfiguration.apple,
            audiences: clientIDs,
            demanded: demanded,
            lead: Self.lead
        )
        let token = try JWT(token, longest: Self.longestToken)
        let claims = try await rules.verify(token, with: .set(keys), at: now)
        guard let clientID = try claims.audiences().first(where: clientIDs.contains) else {
            throw JWTError(.wrongAudience, "The token is for another app.", field: "aud")
        }
        return (claims, clientID)
    }

    /// The seconds that Apple's clock may be ahead of ours.
    private static let lead: TimeInterval = 300
}

extension JWTKeySet {
    /// The keys that Apple signs its identity tokens with. It has several at a time and changes them without a word.
    ///
    /// - Parameter address: scheme and host of Apple's sign-in.
    package static func apple(
        at address: String = AppleSignInConfiguration.apple,
        transport: any StoreTransport
    ) -> JWTKeySet {
        JWTKeySet(
            of: "Apple",
            at: address + "/auth/keys",
            canBeEmpty: false,
            pace: Pace(interval: 60, lifetime: 86_400, isLastWordFinal: false),
            transport: transport
        )
    }
}

extension AppleIdentity {
    /// Apps for iOS send the hash and keep what it was made of; pages send it as it is.
    func require(_ nonce: String) throws(JWTError) {
        guard let stated = self.nonce else {
            // Devices that cannot carry one say so.
            if supportsNonce == false { return }
            throw JWTError(.wrongNonce, "The token has no nonce.", field: "nonce")
        }
        let hash = SHA256.hash(data: Data(nonce.utf8))
        let hex = hash.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
        guard stated == nonce || stated.lowercased() == hex else {
            throw JWTError(.wrongNonce, "The token was made for another sign-in.", field: "nonce")
        }
    }
}
