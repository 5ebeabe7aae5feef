package import Billing
package import Foundation
import Postgres

extension Queries {
    /// The time of the last notification about an app from a store, by environment.
    package func lastReceived(of app: App.ID, from store: Store) async throws -> [StoreEnvironment: Date] {
        // No index covers the environment: every notification would pay for it. The newest production row is among the newest rows of
        // all, and the sandbox has an index of its own.
        try await reader.query(
            """
            (SELECT environment, received_at
             FROM store_notifications
             WHERE app_id = \(app) AND store = \(store) AND environment = 'production'
             ORDER BY received_at DESC, id DESC
             LIMIT 1)
            UNION ALL
            (SELECT environment, received_at
             FROM store_notifications
             WHERE app_id = \(app) AND store = \(store) AND environment = 'sandbox'
             ORDER BY received_at DESC
             LIMIT 1)
            """
        ).reduce(into: [:]) { last, row in
            let (environment, at) = try row.decode(StoreEnvironment.self, Date.self)
            last[environment] = at
        }
    }
}
