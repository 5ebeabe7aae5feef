package import Billing
package import Foundation
import Postgres

extension Queries {
    /// When a store last sent something about an app, by environment.
    package func lastReceived(of app: App.ID, from store: Store) async throws -> [StoreEnvironment: Date] {
        // Without an index on the environment, which each notification would pay for: of production the newest of all is one of
        // the first, and the sandbox's have an index of their own.
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
