package import Billing
import Foundation
import Postgres

extension AppReads {
    /// The number of customers on each plan now, by the plan's code: the plan that the API would return for each of them.
    ///
    /// - Parameter base: the plan of customers without any access; nil for none.
    package func holders(of app: App.ID, base: String?) async throws -> [String: Int64] {
        var holders: [String: Int64] = [:]
        var last = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        while true {
            let customers = try await reader.query(
                """
                SELECT c.id
                FROM customers c
                WHERE c.app_id = \(app) AND c.merged_into IS NULL AND c.id > \(last)
                    AND (EXISTS (SELECT FROM subscriptions s WHERE s.customer_id = c.id)
                        OR EXISTS (SELECT FROM grants g WHERE g.customer_id = c.id))
                ORDER BY c.id
                LIMIT 5000
                """
            ).map { try $0.decode(0, as: Customer.ID.self) }
            guard let end = customers.last else { break }
            last = end.uuid
            for sources in try await reader.entitlementSources.of(customers).values {
                guard let plan = sources.entitlement(at: reader.now)?.plan.code else { continue }
                holders[plan] = (holders[plan] ?? 0).plus(1)
            }
        }
        guard let base else { return holders }
        let rows = try await reader.query(
            "SELECT count(*) FROM customers WHERE app_id = \(app) AND merged_into IS NULL"
        )
        let all = try rows[0].decode(0, as: Int64.self)  // safe: an aggregate has one row
        let others = holders.reduce(Int64(0)) { $1.key == base ? $0 : $0.plus($1.value) }
        holders[base] = max(0, all - others)  // safe: both count rows
        return holders
    }

    /// The number of subscriptions of each product that still renew.
    package func renewing(of app: App.ID) async throws -> [StoredCatalog.ProductKey: Int64] {
        let rows = try await reader.query(
            """
            SELECT p.store, p.store_product_id, count(*)
            FROM subscriptions s
            JOIN products p ON p.id = s.product_id
            WHERE p.app_id = \(app) AND s.renews_automatically AND s.ended_at IS NULL
            GROUP BY 1, 2
            """
        )
        return try rows.reduce(into: [:]) { counts, row in
            let (store, id, count) = try row.decode(Store.self, String.self, Int64.self)
            counts[StoredCatalog.ProductKey(store: store, id: id)] = count
        }
    }
}
