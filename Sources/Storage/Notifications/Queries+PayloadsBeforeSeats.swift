package import Billing
package import Foundation
import Postgres

/// A store's message as it was kept, to be read again.
package struct KeptPayload: Sendable {
    package var id: UUID
    package var signedPayload: String
}

extension Queries {
    /// The messages about booked transactions that came while a seat that was assigned was taken for a purchase: until the migration that
    /// made the columns of seats.
    ///
    /// - Parameter last: the id of the last one of the page before; nil for the first page.
    package func payloadsBeforeSeats(of app: App.ID, after last: UUID?, limit: Int) async throws -> [KeptPayload] {
        try await reader.query(
            """
            SELECT n.id, n.signed_payload
            FROM store_notifications n
            WHERE n.app_id = \(app) AND n.store = 'apple' AND (\(last)::uuid IS NULL OR n.id > \(last))
                AND n.received_at < (SELECT applied_at FROM schema_migrations WHERE name = '0120_seats')
                AND EXISTS (
                    SELECT
                    FROM orders o
                    WHERE o.app_id = n.app_id AND o.store = n.store AND o.environment = n.environment
                        AND o.transaction_id = n.event -> 'transaction' ->> 'id' AND o.joined_into IS NULL)
            ORDER BY n.id
            LIMIT \(limit)
            """
        ).map { row in
            let (id, payload) = try row.decode(UUID.self, String.self)
            return KeptPayload(id: id, signedPayload: payload)
        }
    }
}
