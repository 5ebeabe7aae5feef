package import Billing
import Postgres

extension Queries {
    /// The last event of each of an app's subscriptions that may have several orders of one purchase, a refund that was booked once
    /// for each of its dates, one of the store's that was cut because people had paid, or an order of a seat that was assigned.
    package func eventsToFoldAgain(of app: App.ID) async throws -> [StoreEvent] {
        try await reader.query(
            """
            SELECT last.event::text
            FROM (
                SELECT subscription_id
                FROM orders
                WHERE app_id = \(app) AND joined_into IS NULL
                GROUP BY subscription_id, product_id, date_trunc('second', purchased_at)
                HAVING count(*) > 1
                UNION
                SELECT subscription_id
                FROM orders
                WHERE app_id = \(app) AND joined_into IS NULL AND period_ends_at IS NULL
                GROUP BY subscription_id, product_id
                HAVING count(*) > 1
                UNION
                SELECT o.subscription_id
                FROM orders o
                JOIN ledger_entries t ON t.order_id = o.id
                WHERE o.app_id = \(app) AND o.has_refunds AND t.kind = 'refund' AND t.status = 'success'
                GROUP BY o.id
                HAVING count(*) > 1
                UNION
                SELECT o.subscription_id
                FROM orders o
                JOIN subscription_events e ON e.subscription_id = o.subscription_id
                WHERE o.app_id = \(app) AND o.store = 'apple' AND o.joined_into IS NULL
                    AND e.event -> 'transaction' @> '{"isAssigned": true}'
                    AND e.event -> 'transaction' ->> 'id' = o.transaction_id
            ) doubtful
            CROSS JOIN LATERAL (
                SELECT event
                FROM subscription_events e
                WHERE e.subscription_id = doubtful.subscription_id AND e.event -> 'isByClock' IS NULL
                ORDER BY e.signed_at DESC, e.event_id DESC
                LIMIT 1
            ) last
            """
        ).map { try EventJSON.event(from: $0.decode(0, as: String.self)) }
    }
}
