import Billing
package import Foundation
import Postgres

/// The facts that an app knows of its customer before a store does.
package struct CustomerIntroduction: Sendable {
    /// The account token that the app gives to the store with each purchase.
    package var appAccountToken: UUID
    package var name: String?
    package var email: String?

    package init(appAccountToken: UUID, name: String?, email: String?) {
        self.appAccountToken = appAccountToken
        self.name = name
        self.email = email
    }
}

extension WriteTransaction {
    package var customers: CustomerWrites { CustomerWrites(transaction: self) }
}

package struct CustomerWrites: Sendable {
    let transaction: WriteTransaction

    /// Names customers of an app, making those that are not known yet.
    ///
    /// - Returns: false when there is no such app.
    package func introduce(_ introductions: [CustomerIntroduction], toApp slug: String) async throws -> Bool {
        guard let row = try await transaction.query("SELECT id FROM apps WHERE slug = \(slug)").first else {
            return false
        }
        let app = try row.decode(0, as: UUID.self)
        try await transaction.query(
            """
            INSERT INTO customers AS c
                (id, app_id, key, app_account_token, name, email, identified_at, created_at, recorded_at)
            SELECT n.id, \(app), n.token::text, n.token, nullif(normalize(n.name, NFC), ''),
                nullif(normalize(n.email, NFC), ''), \(transaction.now),
                \(transaction.now), \(transaction.now)
            FROM unnest(
                \(introductions.map { _ in transaction.newUUID() }), \(introductions.map(\.appAccountToken)),
                \(introductions.map { $0.name ?? "" }), \(introductions.map { $0.email ?? "" })
            ) AS n(id, token, name, email)
            ON CONFLICT (app_id, key) DO UPDATE
            SET name = excluded.name, email = excluded.email, identified_at = coalesce(c.identified_at, excluded.identified_at)
            WHERE c.deleted_at IS NULL
            """
        )
        return true
    }
}
