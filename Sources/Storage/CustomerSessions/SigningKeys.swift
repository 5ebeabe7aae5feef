package import Billing
package import Foundation
import Postgres

/// A key that access tokens are signed with, as it is stored: its private half is sealed.
package struct StoredSigningKey: Sendable, Identifiable {
    package typealias ID = Identifier<StoredSigningKey>

    package var id: ID
    package var sealedKey: [UInt8]
    /// x and y, 32 bytes each.
    package var publicKey: [UInt8]
    package var createdAt: Date

    package init(id: ID, sealedKey: [UInt8], publicKey: [UInt8], createdAt: Date) {
        self.id = id
        self.sealedKey = sealedKey
        self.publicKey = publicKey
        self.createdAt = createdAt
    }

    fileprivate static let selection: Query = "SELECT id, sealed_key, public_key, created_at FROM signing_keys"

    fileprivate init(row: Row) throws {
        let (id, sealedKey, publicKey, createdAt) = try row.decode(ID.self, [UInt8].self, [UInt8].self, Date.self)
        self.init(id: id, sealedKey: sealedKey, publicKey: publicKey, createdAt: createdAt)
    }
}

extension Reader {
    /// Those that tokens may still be signed with, the newest first.
    ///
    /// - Parameter start: older ones have signed nothing that is still good.
    package func signingKeys(since start: Date) async throws -> [StoredSigningKey] {
        try await query("\(StoredSigningKey.selection) WHERE created_at > \(start) ORDER BY created_at DESC, id DESC")
            .map(StoredSigningKey.init(row:))
    }
}

extension WriteTransaction {
    /// The newest key; nobody else makes one until the transaction ends.
    package func lockNewestSigningKey() async throws -> StoredSigningKey? {
        try await lock("SELECT pg_advisory_xact_lock(hashtext('signing keys'))")
        return try await query("\(StoredSigningKey.selection) ORDER BY created_at DESC, id DESC LIMIT 1").first
            .map(StoredSigningKey.init(row:))
    }

    package func insert(_ key: StoredSigningKey) async throws {
        try await query(
            """
            INSERT INTO signing_keys (id, sealed_key, public_key, created_at)
            VALUES (\(key.id), \(key.sealedKey), \(key.publicKey), \(key.createdAt))
            """
        )
    }
}
