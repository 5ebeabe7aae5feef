package import Billing
package import Foundation
import Postgres

/// An order whose amount its store is to be asked for.
package struct OrderWithoutAmount: Sendable, Hashable {
    package var id: Order.ID
    package var number: String
    /// The store's.
    package var transactionID: String
}

extension Database {
    /// Orders whose store has not said what was charged, those sold first before the others. Each is asked for once a day.
    package func ordersWithoutAmount(
        of app: App.ID,
        at store: Store,
        in environment: StoreEnvironment,
        limit: Int
    ) async throws -> [OrderWithoutAmount] {
        try await readPrimary { reader in
            try await reader.query(
                """
                SELECT id, number, transaction_id
                FROM orders
                WHERE app_id = \(app) AND store = \(store) AND environment = \(environment) AND amount IS NULL
                    AND coalesce(amount_asked_at, '-infinity') < \(reader.roundBefore)
                ORDER BY purchased_at, id
                LIMIT \(limit)
                """
            ).map { row in
                let (id, number, transactionID) = try row.decode(Order.ID.self, String.self, String.self)
                return OrderWithoutAmount(id: id, number: number, transactionID: transactionID)
            }
        }
    }

    /// Notes that the store was asked what an order cost.
    package func noteAmountAsked(of order: Order.ID, at moment: Date) async throws {
        _ = try await writeAlone("UPDATE orders SET amount_asked_at = \(moment) WHERE id = \(order)")
    }
}
