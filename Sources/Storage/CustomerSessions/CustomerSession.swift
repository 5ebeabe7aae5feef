package import Billing
package import Foundation
import Postgres

/// A live sign-in of a customer, and of whom it is now.
package struct CustomerSession: Sendable, Identifiable {
    package typealias ID = Identifier<CustomerSession>

    package var id: ID
    package var app: App.ID
    package var appSlug: String
    /// Which version of the app's catalogue holds now.
    package var catalogVersion: Int64
    /// Who the customer has become, where two became one.
    package var customer: Customer.ID
    /// The app's own id of the customer; nil for somebody whom the app has not named.
    package var externalID: String?
    /// What the app passes to the store with the customer's next purchase.
    package var accountToken: UUID?
    package var expiresAt: Date

    /// How a session began. Raw values are what the database keeps.
    package enum Method: String, Sendable, CaseIterable {
        /// The app's own server, or the operator, vouched for the customer.
        case minted
        case apple
        case wechat
        case alipay
    }
}

extension CustomerSession.Method: PostgresEncodable, PostgresDecodable {}

extension Reader {
    /// The session, if it is live.
    package func customerSession(_ id: CustomerSession.ID) async throws -> CustomerSession? {
        try await pool.query(
            """
            SELECT s.id, s.app_id, a.slug, a.catalog_version, c.id, c.external_id, c.app_account_token, s.expires_at
            FROM customer_sessions s
            JOIN apps a ON a.id = s.app_id
            JOIN customers k ON k.id = s.customer_id
            JOIN customers c ON c.id = coalesce(k.merged_into, k.id)
            WHERE s.id = \(id) AND s.ended_at IS NULL AND s.expires_at > \(now)
            """,
            timeout: doorTimeout
        ).first.map(CustomerSession.init(row:))
    }
}

extension CustomerSession {
    fileprivate init(row: Row) throws {
        let (id, app, slug, version, customer, externalID, token, expiresAt) = try row.decode(
            ID.self,
            App.ID.self,
            String.self,
            Int64.self,
            Customer.ID.self,
            String?.self,
            UUID?.self,
            Date.self
        )
        self.init(
            id: id,
            app: app,
            appSlug: slug,
            catalogVersion: version,
            customer: customer,
            externalID: externalID,
            accountToken: token,
            expiresAt: expiresAt
        )
    }
}
