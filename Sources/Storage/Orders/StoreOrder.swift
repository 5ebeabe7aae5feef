package import Billing
import Postgres

/// The names that an order has at its store.
package struct StoreOrder: Sendable, Hashable {
    package var store: Store
    package var environment: StoreEnvironment
    package var transactionID: String
}

extension Reader {
    /// nil where the app has no such order.
    package func storeOrder(_ id: Order.ID, of app: App.ID) async throws -> StoreOrder? {
        let rows = try await query(
            "SELECT store, environment, transaction_id FROM orders WHERE id = \(id) AND app_id = \(app)"
        )
        guard let row = rows.first else { return nil }
        let (store, environment, transaction) = try row.decode(Store.self, StoreEnvironment.self, String.self)
        return StoreOrder(store: store, environment: environment, transactionID: transaction)
    }
}
