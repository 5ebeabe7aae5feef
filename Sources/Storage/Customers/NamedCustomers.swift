package import Billing
import Postgres

/// The answer to an app server's query: the entitlement sources of its customers, by the app's own ids.
package struct NamedCustomers: Sendable {
    /// The current version of the app's catalogue.
    package var catalogVersion: Int64
    /// By the app's own id; without customers whom it has never named.
    package var ids: [String: Customer.ID]
    package var held: [Customer.ID: EntitlementSources]
    /// The version of each customer's entitlement sources: the number of their changes.
    package var entitlementVersions: [Customer.ID: Int64]

    /// As `CustomerSession.version`; also of a customer whom nobody has named.
    package func version(of customer: Customer.ID?) -> Int64 {
        catalogVersion.plus(customer.flatMap { entitlementVersions[$0] } ?? 0)
    }
}

extension Reader {
    /// In two round trips, however many they are.
    package func customers(named externalIDs: [String], of app: App.ID) async throws -> NamedCustomers {
        let rows = try await pipeline([
            "SELECT catalog_version FROM apps WHERE id = \(app)",
            """
            SELECT c.external_id, coalesce(c.merged_into, c.id), coalesce(v.version, 0)
            FROM customers c
            LEFT JOIN entitlement_versions v ON v.customer_id = coalesce(c.merged_into, c.id)
            WHERE c.app_id = \(app) AND c.external_id = ANY(\(externalIDs))
            """,
        ])
        // safe: one answer a statement
        let found = try rows[1].map { try $0.decode(String.self, Customer.ID.self, Int64.self) }
        let ids = Dictionary(found.map { ($0.0, $0.1) }) { first, _ in first }
        return NamedCustomers(
            catalogVersion: try rows[0].first?.decode(0, as: Int64.self) ?? 0,  // safe: as above
            ids: ids,
            held: try await entitlementSources.of(Array(Set(ids.values))),
            entitlementVersions: Dictionary(found.map { ($0.1, $0.2) }) { first, _ in first }
        )
    }
}

extension Reader {
    /// True if an app has named a customer before.
    package func isNamed(_ externalID: String, of app: App.ID) async throws -> Bool {
        try await !query("SELECT 1 FROM customers WHERE app_id = \(app) AND external_id = \(externalID)").isEmpty
    }
}
