package import Billing
package import Foundation
import Postgres

/// An uploaded key as it is stored: its secrets are sealed.
package struct StoredStoreKey: Sendable {
    package var kind: StoreKey.Kind
    package var settings: [String: String]
    package var sealedSecrets: [UInt8]
    package var uploadedAt: Date
}

extension Reader {
    /// Uploaded keys of every app.
    func storeKeys() async throws -> [App.ID: [Store: [StoredStoreKey]]] {
        try StoredStoreKey.byAccount(try await query(StoredStoreKey.query))
    }
}

extension WriteTransaction {
    package var storeKeys: StoreKeyWrites { StoreKeyWrites(transaction: self) }
}

package struct StoreKeyWrites: Sendable {
    let transaction: WriteTransaction

    /// An app's account at a store as its catalogue has it, locked until the transaction ends, and its uploaded keys.
    ///
    /// - Returns: nil where the app has none there.
    package func lockAccount(of app: App.ID, at store: Store) async throws -> StoredStoreAccount? {
        let accounts = try await transaction.lock(
            "\(StoredStoreAccount.query) WHERE a.app_id = \(app) AND a.store = \(store) FOR UPDATE OF a"
        ).map(StoredStoreAccount.init(row:))
        guard var account = accounts.first else { return nil }
        let keys = try await transaction.query(
            "\(StoredStoreKey.query) WHERE app_id = \(app) AND store = \(store)"
        )
        account.keys = try StoredStoreKey.byAccount(keys)[app]?[store] ?? []
        return account
    }

    package func save(
        _ kind: StoreKey.Kind,
        settings: [String: String],
        sealedSecrets: [UInt8],
        of app: App.ID,
        at store: Store
    ) async throws {
        let settings = try JSONEncoder().encode(settings)
        try await transaction.query(
            """
            INSERT INTO store_keys (app_id, store, kind, settings, sealed_secrets, uploaded_at)
            VALUES
                (\(app), \(store), \(kind), \(String(decoding: settings, as: UTF8.self))::jsonb, \(sealedSecrets),
                 \(transaction.now))
            ON CONFLICT (app_id, store, kind) DO UPDATE
            SET settings = excluded.settings, sealed_secrets = excluded.sealed_secrets, uploaded_at = excluded.uploaded_at
            """
        )
    }

    /// - Returns: false where there was none.
    package func remove(_ kind: StoreKey.Kind, of app: App.ID, at store: Store) async throws -> Bool {
        try await transaction.query(
            "DELETE FROM store_keys WHERE app_id = \(app) AND store = \(store) AND kind = \(kind)"
        ).affectedRows > 0
    }
}

extension StoredStoreKey {
    fileprivate static let query: Query = """
        SELECT app_id, store, kind, settings::text, sealed_secrets, uploaded_at
        FROM store_keys
        """

    fileprivate static func byAccount(_ rows: Rows) throws -> [App.ID: [Store: [StoredStoreKey]]] {
        var keys: [App.ID: [Store: [StoredStoreKey]]] = [:]
        for row in rows {
            let (app, store, kind, settings, sealed, uploadedAt) = try row.decode(
                App.ID.self,
                Store.self,
                StoreKey.Kind.self,
                String.self,
                [UInt8].self,
                Date.self
            )
            let key = StoredStoreKey(
                kind: kind,
                settings: try JSONDecoder().decode([String: String].self, from: Data(settings.utf8)),
                sealedSecrets: sealed,
                uploadedAt: uploadedAt
            )
            keys[app, default: [:]][store, default: []].append(key)
        }
        return keys
    }
}

extension StoreKey.Kind: PostgresEncodable, PostgresDecodable {}
