package import Billing
package import Foundation
import Postgres

/// A live sign-in of a customer, and of whom it is now.
package struct CustomerSession: Sendable, Identifiable {
    package typealias ID = Identifier<CustomerSession>

    package var id: ID
    package var app: App.ID
    package var appSlug: String
    /// The current version of the app's catalogue.
    package var catalogVersion: Int64
    /// The version of the customer's entitlement sources: the number of their changes.
    package var entitlementVersion: Int64
    /// The customer, or the one that they were merged into.
    package var customer: Customer.ID
    /// The app's own id of the customer; nil for a customer whom the app has not named.
    package var externalID: String?
    /// The token that the app passes to the store with the customer's next purchase.
    package var accountToken: UUID?
    package var expiresAt: Date
    /// To within `useGrain`; nil for one that was never used.
    package var lastUsedAt: Date?
    /// The customer's usage when the session was read; nil unless it was requested.
    package var counters: CustomerCounters?

    /// Seconds between two writes of when it was used.
    package static let useGrain: TimeInterval = 600

    /// Grows with every change of what the customer may use, be it of what they hold or of the app's catalogue.
    package var version: Int64 { entitlementVersion.plus(catalogVersion) }

    /// The way in which a session began. The database keeps the raw values.
    package enum Method: String, Sendable, CaseIterable {
        /// The app's own server, or the operator, vouched for the customer.
        case minted
        case apple
        case wechat
        case alipay
        /// The app has its own login and sends that login's tokens.
        case issuer
    }
}

extension CustomerSession.Method: PostgresEncodable, PostgresDecodable {}

/// A session that somebody asks for.
package struct CustomerSessionAsk: Sendable {
    package var id: CustomerSession.ID
    /// True to read the customer's usage, too.
    package var withUsage: Bool

    package init(_ id: CustomerSession.ID, withUsage: Bool = false) {
        (self.id, self.withUsage) = (id, withUsage)
    }
}

extension Reader {
    /// The session, if it is live.
    package func customerSession(_ id: CustomerSession.ID) async throws -> CustomerSession? {
        try await customerSessions([CustomerSessionAsk(id)])[0]  // safe: one for each
    }

    /// Several of them in one round trip.
    ///
    /// - Parameter waited: for how long who asks has waited already.
    /// - Returns: one for each, in order; nil for a session that is not live.
    package func customerSessions(
        _ asks: [CustomerSessionAsk],
        waited: Duration = .zero
    ) async throws -> [CustomerSession?] {
        let counted = asks.filter(\.withUsage).map(\.id)
        let results = try await pool.pipeline(
            [CustomerSession.query(asks.map(\.id), at: now)]
                + (counted.isEmpty ? [] : [CustomerCounters.query(of: counted, at: now)]),
            timeout: doorTimeout - waited
        )
        let sessions = try results[0].map(CustomerSession.init(row:))  // safe: one answer a statement
        let live = Dictionary(sessions.map { ($0.id, $0) }) { first, _ in first }
        let counters = counted.isEmpty ? [:] : try CustomerCounters.bySession(results[1])  // safe: as above
        return asks.map { ask in
            var session = live[ask.id]
            if ask.withUsage { session?.counters = counters[ask.id] ?? CustomerCounters() }
            return session
        }
    }
}

extension CustomerSession {
    fileprivate static func query(_ ids: [ID], at now: Date) -> Query {
        """
        SELECT s.id, s.app_id, a.slug, a.catalog_version, coalesce(v.version, 0), c.id, c.external_id,
            coalesce(c.app_account_token, \(CustomerIdentity.latestMergedToken(of: "c.id"))), s.expires_at,
            s.last_used_at
        FROM customer_sessions s
        JOIN apps a ON a.id = s.app_id
        JOIN customers k ON k.id = s.customer_id
        JOIN customers c ON c.id = coalesce(k.merged_into, k.id)
        LEFT JOIN entitlement_versions v ON v.customer_id = c.id
        WHERE s.id = ANY(\(ids.map(\.uuid))) AND s.ended_at IS NULL AND s.expires_at > \(now) AND c.deleted_at IS NULL
        """
    }
}

extension Reader {
    /// The versions of what the customers of these sessions may use, from the primary; a session that has ended is not among them.
    package func entitlementVersions(of sessions: [CustomerSession.ID]) async throws -> [CustomerSession.ID: Int64] {
        let rows = try await query(
            """
            SELECT s.id, coalesce(v.version, 0), a.catalog_version
            FROM customer_sessions s
            JOIN apps a ON a.id = s.app_id
            JOIN customers k ON k.id = s.customer_id
            LEFT JOIN entitlement_versions v ON v.customer_id = coalesce(k.merged_into, k.id)
            WHERE s.id = ANY(\(sessions.map(\.uuid))) AND s.ended_at IS NULL AND s.expires_at > \(now)
            """
        )
        return try Dictionary(
            rows.map { row in
                let (id, held, catalog) = try row.decode(CustomerSession.ID.self, Int64.self, Int64.self)
                return (id, held.plus(catalog))
            }
        ) { first, _ in first }
    }

    /// The customer of an ended session, if they had their account deleted; nil for every other session.
    package func deletedCustomer(of session: CustomerSession.ID) async throws -> Customer.ID? {
        try await pool.query(
            """
            SELECT c.id
            FROM customer_sessions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.id = \(session) AND c.deleted_at IS NOT NULL
            """,
            timeout: doorTimeout
        ).first?.decode(0, as: Customer.ID.self)
    }

    /// The customer that an app's issuer named, if they had their account deleted since a token of theirs was issued; nil for
    /// everybody else.
    ///
    /// - Parameters:
    ///   - subject: SHA-256 of the issuer's name of the customer.
    ///   - start: the time at which the token was issued.
    package func deletedCustomer(
        of app: App.ID,
        subject: [UInt8],
        since start: Date
    ) async throws -> Customer.ID? {
        try await pool.query(
            """
            SELECT c.id
            FROM customer_sessions s
            JOIN customers c ON c.id = s.customer_id
            WHERE s.app_id = \(app) AND s.subject_hash = \(subject) AND s.ended_at >= \(start) AND c.deleted_at IS NOT NULL
            ORDER BY s.ended_at DESC
            LIMIT 1
            """,
            timeout: doorTimeout
        ).first?.decode(0, as: Customer.ID.self)
    }
}

extension CustomerSession {
    fileprivate init(row: Row) throws {
        let (
            id, app, slug, catalogVersion, entitlementVersion, customer, externalID, token, expiresAt, lastUsedAt
        ) = try row.decode(
            ID.self,
            App.ID.self,
            String.self,
            Int64.self,
            Int64.self,
            Customer.ID.self,
            String?.self,
            UUID?.self,
            Date.self,
            Date?.self
        )
        self.init(
            id: id,
            app: app,
            appSlug: slug,
            catalogVersion: catalogVersion,
            entitlementVersion: entitlementVersion,
            customer: customer,
            externalID: externalID,
            accountToken: token,
            expiresAt: expiresAt,
            lastUsedAt: lastUsedAt
        )
    }
}
