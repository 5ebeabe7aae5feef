package import Billing
import Foundation
import Postgres

/// An app's account at a store as it is stored: its secrets are sealed.
package struct StoredStoreAccount: Sendable {
    package var app: App.ID
    /// Without secrets.
    package var account: StoreAccount
    package var sealedSecrets: [UInt8]?
    /// The keys that staff uploaded; a key that the account names itself takes precedence.
    package var keys: [StoredStoreKey] = []

    static let query: Query = """
        SELECT a.app_id, a.store, a.identifier, a.environment, a.settings::text, a.sealed_secrets,
            ARRAY(SELECT encode(r.der, 'base64') FROM store_anchors r
                  WHERE r.app_id = a.app_id AND r.store = a.store ORDER BY r.sha256)
        FROM store_accounts a
        """

    init(row: Row) throws {
        let (app, store, identifier, environment, settings, sealed, anchors) = try row.decode(
            App.ID.self,
            Store.self,
            String.self,
            String.self,
            String.self,
            [UInt8]?.self,
            [String].self
        )
        self.app = app
        sealedSecrets = sealed
        account = StoreAccount(
            store: store,
            identifier: identifier,
            isSimulated: environment == "simulator",
            settings: try JSONDecoder().decode([String: String].self, from: Data(settings.utf8)),
            anchors: anchors.compactMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters).map(Array.init) }
        )
    }
}

extension CatalogWrites {
    /// - Parameter sealedSecrets: nil for an account without secrets.
    package func save(account: StoreAccount, sealedSecrets: [UInt8]?, of app: App.ID) async throws {
        let settings = try JSONEncoder().encode(account.settings)
        try await transaction.query(
            """
            INSERT INTO store_accounts (app_id, store, identifier, environment, settings, sealed_secrets)
            VALUES
                (\(app), \(account.store), \(account.identifier), \(account.isSimulated ? "simulator" : "store"),
                 \(String(decoding: settings, as: UTF8.self))::jsonb, \(sealedSecrets))
            ON CONFLICT (app_id, store) DO UPDATE
            SET identifier = excluded.identifier, environment = excluded.environment, settings = excluded.settings,
                sealed_secrets = excluded.sealed_secrets
            """
        )
        try await transaction.query("DELETE FROM store_anchors WHERE app_id = \(app) AND store = \(account.store)")
        for anchor in account.anchors {
            try await transaction.query(
                """
                INSERT INTO store_anchors (app_id, store, sha256, der)
                VALUES (\(app), \(account.store), sha256(\(anchor)), \(anchor))
                ON CONFLICT DO NOTHING
                """
            )
        }
    }

    package func removeAccount(at store: Store, of app: App.ID) async throws {
        try await transaction.query("DELETE FROM store_accounts WHERE app_id = \(app) AND store = \(store)")
    }

    /// The slug of another app that signs people in at Apple under one of these client ids.
    package func app(signingInAs clientIDs: [String], otherThan app: App.ID?) async throws -> String? {
        try await transaction.query(
            """
            SELECT p.slug
            FROM (
                SELECT app_id, settings FROM store_accounts
                UNION ALL
                SELECT app_id, settings FROM store_keys
            ) s
            JOIN apps p ON p.id = s.app_id
            WHERE string_to_array(s.settings ->> 'id.clientIds', ' ') && \(clientIDs)::text[]
                AND s.app_id IS DISTINCT FROM \(app)
            LIMIT 1
            """
        ).first?.decode(0, as: String.self)
    }

    /// The slug of the other app that has this account.
    package func app(holding account: StoreAccount, otherThan slug: String) async throws -> String? {
        try await transaction.query(
            """
            SELECT p.slug
            FROM store_accounts a
            JOIN apps p ON p.id = a.app_id
            WHERE a.store = \(account.store) AND a.identifier = \(account.identifier) AND p.slug <> \(slug)
            """
        ).first?.decode(0, as: String.self)
    }
}
