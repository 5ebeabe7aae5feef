import Billing
import Crypto
package import Foundation
import JWTKit
import Storage
import Synchronization

/// Signs customers' access tokens (JWT, ES256) and tells them from everybody else's (product.md, decision 10).
///
/// The keys are in the database, sealed, so that each server of an installation knows them all. The first that needs one makes it, and
/// a new one when it is ninety days old.
package final class AccessTokens: Sendable {
    /// How long an access token is good, in seconds.
    package static let lifetime: TimeInterval = 86_400
    /// How long a key signs, in seconds.
    static let keyLifetime: TimeInterval = 90 * 86_400
    /// The `typ` of an access token's header.
    static let type = "JWT"
    /// Longer than any of ours.
    static let longestToken = 2_048

    private struct Keys {
        var collection: JWTKeyCollection
        var newest: StoredSigningKey
        var identifiers: Set<String>
        var published: [SigningKey]
        var readAt: Date
    }

    private let database: Database
    private let cipher: FieldCipher?
    private let cache = Mutex<Keys?>(nil)
    private let remembered = RememberedTokens<AccessTokenClaims>()

    init(database: Database, cipher: FieldCipher?) {
        self.database = database
        self.cipher = cipher
    }

    /// - Parameter type: the header's `typ`.
    /// - Throws: `OperationsError` with `.misconfigured` where no secret can be sealed; the database's errors.
    func sign(_ claims: some JWTPayload, type: String = AccessTokens.type) async throws -> Secret {
        let keys = try await current(for: database.now)
        let kid = JWKIdentifier(string: keys.newest.id.description)
        return Secret(try await keys.collection.sign(claims, kid: kid, header: ["typ": .string(type)]))
    }

    /// What one of our tokens says; nil for every other text, and for what has expired.
    func verify(_ text: String) async throws -> AccessTokenClaims? {
        guard text.utf8.count <= Self.longestToken else { return nil }
        let (now, digest) = (database.now, TokenDigest(of: text))
        if let claims = remembered.claims(of: digest, at: now) { return claims }
        guard let header = try? DefaultJWTParser().parse([UInt8](text.utf8), as: AccessTokenClaims.self).header,
            header.alg == "ES256", header.typ == Self.type, let kid = header.kid, StoredSigningKey.ID(kid) != nil,
            let known = try await keys(knowing: kid, at: now),
            let claims = try? await known.collection.verify(text, as: AccessTokenClaims.self), claims.isCurrent(at: now)
        else { return nil }
        remembered.remember(claims, as: digest)
        return claims
    }

    /// The public halves, newest first: whoever has them can check a token without asking.
    package func published() async throws -> [SigningKey] {
        try await current(for: database.now).published
    }

    /// Keys that know `kid`; read anew where those that are remembered do not, as another server may have made it a moment ago.
    private func keys(knowing kid: String, at now: Date) async throws -> Keys? {
        if let known = cache.withLock({ $0 }) {
            if known.identifiers.contains(kid) { return known }
            // Strangers' ids are no reason to ask the database each time.
            if (0..<1).contains(now.timeIntervalSince(known.readAt)) { return nil }
        }
        guard let read = try await read(at: now), read.identifiers.contains(kid) else { return nil }
        return read
    }

    /// Keys whose newest still signs.
    private func current(for now: Date) async throws -> Keys {
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
    private func read(at now: Date) async throws -> Keys? {
        let start = now.addingTimeInterval(-Self.keyLifetime - 2 * Self.lifetime)
        let stored = try await database.readPrimary { try await $0.signingKeys(since: start) }
        guard let newest = stored.first else { return nil }
        guard let cipher else {
            throw OperationsError(.misconfigured, "There is no key to open secrets with. Set PERENNIAL_SECRET.")
        }
        let collection = JWTKeyCollection()
        for key in stored {
            let raw = try cipher.open(key.sealedKey, for: key.id.uuid)
            let opened = try ES256PrivateKey(backing: P256.Signing.PrivateKey(rawRepresentation: Data(raw)))
            await collection.add(ecdsa: opened, kid: JWKIdentifier(string: key.id.description))
        }
        // A token without a key's id is none of ours.
        await collection.clearDefault()
        let read = Keys(
            collection: collection,
            newest: newest,
            identifiers: Set(stored.map(\.id.description)),
            published: stored.map(SigningKey.init),
            readAt: now
        )
        cache.withLock { $0 = read }
        return read
    }

    private static func signs(_ key: StoredSigningKey, at now: Date) -> Bool {
        now.timeIntervalSince(key.createdAt) < keyLifetime
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
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
