package import Billing
package import Foundation
import Postgres

/// A secret that an app's own login shares with us, as staff uploaded it: sealed.
package struct StoredIssuerSecret: Sendable {
    package typealias ID = Identifier<StoredIssuerSecret>

    package var id: ID
    package var sealed: [UInt8]
    package var uploadedAt: Date
}

extension Reader {
    /// Of every app that has a login of its own, with what staff uploaded for it.
    func tokenIssuers() async throws -> [App.ID: StoredTokenIssuer] {
        let secrets = try StoredIssuerSecret.byApp(
            try await query("\(StoredIssuerSecret.query) ORDER BY app_id, uploaded_at, slot")
        )
        let issuers = try await query(StoredTokenIssuer.query).map { row in
            var issuer = try StoredTokenIssuer(row: row)
            issuer.uploads = secrets[issuer.app] ?? []
            return (issuer.app, issuer)
        }
        return Dictionary(issuers) { first, _ in first }
    }
}

extension WriteTransaction {
    package var issuerSecrets: IssuerSecretWrites { IssuerSecretWrites(transaction: self) }
}

package struct IssuerSecretWrites: Sendable {
    let transaction: WriteTransaction

    /// An app's own issuer, locked until the transaction ends, with its uploaded secrets.
    ///
    /// - Returns: nil for an app without one.
    package func lockIssuer(of app: App.ID) async throws -> StoredTokenIssuer? {
        let issuers = try await transaction.lock("\(StoredTokenIssuer.query) WHERE app_id = \(app) FOR UPDATE")
        guard let row = issuers.first else { return nil }
        var issuer = try StoredTokenIssuer(row: row)
        let secrets = try await transaction.query(
            "\(StoredIssuerSecret.query) WHERE app_id = \(app) ORDER BY uploaded_at, slot"
        )
        issuer.uploads = try StoredIssuerSecret.byApp(secrets)[app] ?? []
        return issuer
    }

    /// Keeps a secret in the first free slot of its app, whose issuer is locked.
    ///
    /// - Returns: false when as many live as may.
    package func insert(_ id: StoredIssuerSecret.ID, sealed: [UInt8], of app: App.ID) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO token_issuer_secrets (id, app_id, slot, sealed_secret, uploaded_at)
            SELECT \(id), \(app), free.slot, \(sealed), \(transaction.now)
            FROM (
                SELECT s.slot
                FROM (VALUES (1), (2)) AS s (slot)
                WHERE NOT EXISTS (SELECT FROM token_issuer_secrets t WHERE t.app_id = \(app) AND t.slot = s.slot)
                ORDER BY s.slot
                LIMIT 1
            ) AS free
            """
        ).affectedRows == 1
    }

    /// - Returns: false where the app has no such secret.
    package func remove(_ id: StoredIssuerSecret.ID, of app: App.ID) async throws -> Bool {
        try await transaction.query(
            "DELETE FROM token_issuer_secrets WHERE id = \(id) AND app_id = \(app)"
        ).affectedRows == 1
    }

    /// - Returns: how many there were.
    package func removeAll(of app: App.ID) async throws -> Int {
        try await transaction.query("DELETE FROM token_issuer_secrets WHERE app_id = \(app)").affectedRows
    }
}

extension StoredIssuerSecret {
    fileprivate static let query: Query = """
        SELECT app_id, id, sealed_secret, uploaded_at
        FROM token_issuer_secrets
        """

    fileprivate static func byApp(_ rows: Rows) throws -> [App.ID: [StoredIssuerSecret]] {
        var secrets: [App.ID: [StoredIssuerSecret]] = [:]
        for row in rows {
            let (app, id, sealed, uploadedAt) = try row.decode(App.ID.self, ID.self, [UInt8].self, Date.self)
            secrets[app, default: []].append(StoredIssuerSecret(id: id, sealed: sealed, uploadedAt: uploadedAt))
        }
        return secrets
    }
}
