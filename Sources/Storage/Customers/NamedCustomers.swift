package import Billing
import Postgres

/// What an app's own server asks for: what customers of the app hold, by the app's own ids.
package struct NamedCustomers: Sendable {
    /// Which version of the app's catalogue holds now.
    package var catalogVersion: Int64
    /// By the app's own id; whom nobody has named is not among them.
    package var ids: [String: Customer.ID]
    package var held: [Customer.ID: EntitlementSources]
}

extension Reader {
    /// In two round trips, however many they are.
    package func customers(named externalIDs: [String], of app: App.ID) async throws -> NamedCustomers {
        let rows = try await pipeline([
            "SELECT catalog_version FROM apps WHERE id = \(app)",
            """
            SELECT external_id, coalesce(merged_into, id)
            FROM customers
            WHERE app_id = \(app) AND external_id = ANY(\(externalIDs))
            """,
        ])
        let found = try rows[1].map { try $0.decode(String.self, Customer.ID.self) }  // safe: one answer a statement
        let ids = Dictionary(found) { first, _ in first }
        return NamedCustomers(
            catalogVersion: try rows[0].first?.decode(0, as: Int64.self) ?? 0,  // safe: as above
            ids: ids,
            held: try await entitlementSources.of(Array(Set(ids.values)))
        )
    }
}
