import Crypto
package import Foundation

/// Tells Apple's identity tokens from everybody else's (stores/apple.md, 5).
///
/// Format, algorithm, key, signature, issuer, audience, times, nonce; the first rung that fails is the error.
package struct AppleIdentityVerifier: Sendable {
    private let keys: AppleKeys

    package init(keys: AppleKeys) {
        self.keys = keys
    }

    /// - Parameters:
    ///   - nonce: what the app sent along when it asked Apple, or what that is the SHA-256 of; nil where it sends none.
    ///     Whoever calls sees to it that each is used once.
    package func verify(
        _ token: String,
        clientIDs: Set<String>,
        nonce: String?,
        at now: Date
    ) async throws(AppleSignInError) -> AppleIdentity {
        let claims = try await verifiedClaims(of: token, at: now)
        let clientID = try claims.require(clientIDs: clientIDs, at: now)
        let identity = try AppleIdentity(claims, clientID: clientID)
        if let nonce { try identity.require(nonce) }
        return identity
    }

    /// What Apple signed, whatever it says.
    func verifiedClaims(of token: String, at now: Date) async throws(AppleSignInError) -> AppleIDClaims {
        let token = try AppleIDToken(token)
        try await keys.verify(token, at: now)
        return try AppleIDClaims(token.payload)
    }
}

extension AppleIdentity {
    /// Apps for iOS send the hash and keep what it was made of; pages send it as it is.
    func require(_ nonce: String) throws(AppleSignInError) {
        guard let stated = self.nonce else {
            // Devices that cannot carry one say so.
            if supportsNonce == false { return }
            throw AppleSignInError(.wrongNonce, "The token has no nonce.", field: "nonce")
        }
        let hash = SHA256.hash(data: Data(nonce.utf8))
        let hex = hash.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
        guard stated == nonce || stated.lowercased() == hex else {
            throw AppleSignInError(.wrongNonce, "The token was made for another sign-in.", field: "nonce")
        }
    }
}
