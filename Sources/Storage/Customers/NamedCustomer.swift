package import Billing
package import Foundation
import Postgres

/// A customer of an app, and which versions hold of what decides over them: what is remembered of either holds for its version.
package protocol VersionedCustomer: Sendable {
    var app: App.ID { get }
    /// The customer, or the one that they were merged into.
    var customer: Customer.ID { get }
    /// Of the app's catalogue.
    var catalogVersion: Int64 { get }
    /// Of the customer's entitlement sources.
    var entitlementVersion: Int64 { get }
    /// The customer's usage at the time of the read; nil unless it was requested.
    var counters: CustomerCounters? { get }

    /// The current state of the same customer, or of the one they were merged into; nil for a session that has ended.
    func renewed(_ reader: Reader) async throws -> Self?
}

extension CustomerSession: VersionedCustomer {
    package func renewed(_ reader: Reader) async throws -> CustomerSession? { try await reader.customerSession(id) }
}

/// A customer whom an app's own server names, or staff look at.
package struct NamedCustomer: VersionedCustomer {
    package var app: App.ID
    package var customer: Customer.ID
    package var catalogVersion: Int64
    package var entitlementVersion: Int64
    /// The time at which they were first seen.
    package var firstSeenAt: Date
    /// The token that the app passes to the store with the customer's next purchase.
    package var accountToken: UUID?

    package var counters: CustomerCounters? { nil }

    package func renewed(_ reader: Reader) async throws -> NamedCustomer? {
        try await reader.customer("k.id = \(customer)", of: app)
    }
}

extension Reader {
    /// nil where the app has named nobody so.
    package func customer(named externalID: String, of app: App.ID) async throws -> NamedCustomer? {
        try await customer("k.external_id = \(externalID)", of: app)
    }

    /// nil where the app has none of that id, or their record has ended in another's.
    package func customer(_ id: Customer.ID, of app: App.ID) async throws -> NamedCustomer? {
        try await customer("k.id = \(id) AND k.merged_into IS NULL", of: app)
    }

    fileprivate func customer(_ condition: Query, of app: App.ID) async throws -> NamedCustomer? {
        try await query(
            """
            SELECT c.id, a.catalog_version, coalesce(v.version, 0), c.created_at,
                coalesce(c.app_account_token, \(CustomerIdentity.latestMergedToken(of: "c.id")))
            FROM customers k
            JOIN customers c ON c.id = coalesce(k.merged_into, k.id)
            JOIN apps a ON a.id = c.app_id
            LEFT JOIN entitlement_versions v ON v.customer_id = c.id
            WHERE k.app_id = \(app) AND \(condition)
            """
        ).first.map { row in
            let (customer, catalogVersion, entitlementVersion, firstSeenAt, token) = try row.decode(
                Customer.ID.self,
                Int64.self,
                Int64.self,
                Date.self,
                UUID?.self
            )
            return NamedCustomer(
                app: app,
                customer: customer,
                catalogVersion: catalogVersion,
                entitlementVersion: entitlementVersion,
                firstSeenAt: firstSeenAt,
                accountToken: token
            )
        }
    }
}
