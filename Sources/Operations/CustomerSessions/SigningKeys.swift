import Billing
import Crypto
import Foundation
import Gateways
import Storage

/// The keys of an installation, opened: the newest signs, and what any of them signed is good until its end.
struct SigningKeys: Sendable {
    let newest: StoredSigningKey
    let key: P256.Signing.PrivateKey
    let verifying: [JWTKey]
    /// Newest first.
    let published: [SigningKey]

    /// Those that tokens may still be signed with.
    ///
    /// The public key is made of the sealed half: a writer into the database without the installation's secret adds no key.
    ///
    /// - Returns: nil where there is none yet.
    /// - Throws: `OperationsError` with `.misconfigured` where they cannot be opened; the database's errors.
    static func read(from database: Database, _ cipher: FieldCipher?, at now: Date) async throws -> SigningKeys? {
        let start = now.addingTimeInterval(-AccessTokens.keyLifetime - 2 * AccessTokens.lifetime)
        let stored = try await database.readPrimary { try await $0.signingKeys(since: start) }
        guard !stored.isEmpty else { return nil }
        guard let cipher else {
            throw OperationsError(.misconfigured, "There is no key to open secrets with. Set PERENNIAL_SECRET.")
        }
        let opened = try stored.map { each in
            let raw = try cipher.open(each.sealedKey, for: each.id.uuid)
            return (each, try P256.Signing.PrivateKey(rawRepresentation: Data(raw)))
        }
        guard let (newest, key) = opened.first else { return nil }
        return SigningKeys(
            newest: newest,
            key: key,
            verifying: opened.map { JWTKey(id: $0.id.description, $1.publicKey) },
            published: stored.map(SigningKey.init)
        )
    }
}

/// The public half of a key that signs access tokens (RFC 7517), P-256.
package struct SigningKey: Sendable, Hashable {
    /// The `kid` in what it signed.
    package var id: String
    /// In base64url without padding, as `y`.
    package var x: String
    package var y: String

    fileprivate init(_ stored: StoredSigningKey) {
        id = stored.id.description
        x = Self.base64URL(stored.publicKey.prefix(32))
        y = Self.base64URL(stored.publicKey.dropFirst(32))
    }

    private static func base64URL(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: Base64.encode(url: Array(bytes)), as: UTF8.self)
    }
}
