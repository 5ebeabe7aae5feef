import Billing
import Crypto
package import Foundation
import Gateways
import Storage
import Synchronization

/// Signs customers' access tokens (JWT, ES256) and tells them from everybody else's (product.md, decision 10).
///
/// The keys are in the database, sealed, so that each server of an installation knows them all. The first that needs one makes it, and
/// a new one when it is ninety days old.
package final class AccessTokens: Sendable {
    /// The lifetime of an access token, in seconds.
    package static let lifetime: TimeInterval = 86_400
    /// The time for which a key signs, in seconds.
    static let keyLifetime: TimeInterval = 90 * 86_400
    /// The `typ` of an access token's header.
    static let type = "JWT"
    /// Longer than any of our tokens.
    static let longestToken = 2_048

    private let database: Database
    private let cipher: FieldCipher?
    private let cache = Mutex<SigningKeys?>(nil)
    private let keySet: JWTKeySet
    private let remembered = RememberedTokens<AccessTokenClaims>()

    init(database: Database, cipher: FieldCipher?) {
        self.database = database
        self.cipher = cipher
        // Another server may have made a key a moment ago; strangers' ids are no reason to ask the database each time.
        let pace = JWTKeySet.Pace(interval: 1, lifetime: .infinity, isLastWordFinal: false)
        keySet = JWTKeySet(of: "The installation", pace: pace) { now in
            try await SigningKeys.read(from: database, cipher, at: now)?.verifying ?? []
        }
    }

    /// - Parameter type: the header's `typ`.
    /// - Throws: `OperationsError` with `.misconfigured` where no secret can be sealed; the database's errors.
    func sign(_ claims: JSON, type: String = AccessTokens.type) async throws -> Secret {
        let keys = try await current(for: database.now)
        do {
            return Secret(try CompactJWS.sign(claims, keyID: keys.newest.id.description, key: keys.key, type: type))
        } catch {
            throw OperationsError(error)
        }
    }

    /// The claims of one of our tokens; nil for any other text, and for an expired token.
    ///
    /// - Throws: the database's errors.
    func verify(_ text: String) async throws -> AccessTokenClaims? {
        guard text.utf8.count <= Self.longestToken else { return nil }
        let (now, digest) = (database.now, TokenDigest(of: text))
        if let claims = remembered.claims(of: digest, at: now) { return claims }
        do throws(JWTError) {
            let token = try JWT(text, longest: Self.longestToken)
            guard let id = token.keyID, StoredSigningKey.ID(id) != nil else { return nil }
            let claims = try AccessTokenClaims(try await Self.rules.verify(token, with: .set(keySet), at: now))
            remembered.remember(claims, as: digest)
            return claims
        } catch {
            guard error.code == .unreachable else { return nil }
            throw error.underlying ?? OperationsError(.overloaded, error.message, retryAfter: 1, underlying: error)
        }
    }

    private static let rules = JWTRules(
        algorithms: [.es256],
        type: type,
        needsKeyID: true,
        issuer: AccessTokenClaims.issuer,
        audiences: nil,
        demanded: ["iat", "exp"],
        lead: nil
    )

    /// The public halves, newest first: whoever has them can check a token without asking.
    package func published() async throws -> [SigningKey] {
        try await current(for: database.now).published
    }

    /// Keys whose newest still signs.
    private func current(for now: Date) async throws -> SigningKeys {
        if let known = cache.withLock({ $0 }), Self.signs(known.newest, at: now) { return known }
        if let read = try await read(at: now), Self.signs(read.newest, at: now) { return read }
        try await make()
        guard let read = try await read(at: now) else {
            throw OperationsError(.misconfigured, "There is no key to sign access tokens with.")
        }
        return read
    }

    private func make() async throws {
        guard let cipher else {
            throw OperationsError(.misconfigured, "There is no key to seal secrets with. Set PERENNIAL_SECRET.")
        }
        try await database.write { transaction in
            let newest = try await transaction.lockNewestSigningKey()
            if let newest, Self.signs(newest, at: transaction.now) { return }
            let (id, key) = (StoredSigningKey.ID(transaction.newUUID()), P256.Signing.PrivateKey())
            try await transaction.insert(
                StoredSigningKey(
                    id: id,
                    sealedKey: try cipher.seal(Array(key.rawRepresentation), for: id.uuid),
                    publicKey: Array(key.publicKey.rawRepresentation),
                    createdAt: transaction.now
                )
            )
        }
    }

    /// - Returns: nil where there is none yet.
    private func read(at now: Date) async throws -> SigningKeys? {
        guard let read = try await SigningKeys.read(from: database, cipher, at: now) else { return nil }
        cache.withLock { $0 = read }
        // Tokens signed with them from now on are known at once.
        await keySet.learn(read.verifying, at: now)
        return read
    }

    private static func signs(_ key: StoredSigningKey, at now: Date) -> Bool {
        now.timeIntervalSince(key.createdAt) < keyLifetime
    }
}
