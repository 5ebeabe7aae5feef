package import Billing
import Foundation
import Postgres

extension Queries {
    /// A page of an app's inbox, newest first.
    package func notifications(
        _ filter: NotificationFilter,
        app: App.ID,
        counts: CappedCounts
    ) async throws -> ListPage<ListedNotification> {
        let state: Query = filter.state.map { " AND n.state = \($0)" } ?? ""
        let reconciliation: Query = filter.reconciliation.map { " AND n.reconciliation_id = \($0)" } ?? ""
        let conditions: Query = "n.app_id = \(app)\(state)\(reconciliation)"
        let page = try await page(at: filter.position, where: conditions)
        return try await counted(
            page,
            of: CountedList(
                app: app,
                filter: .notifications(state: filter.state, reconciliation: filter.reconciliation)
            ),
            counts: counts,
            rows: "SELECT 1 FROM store_notifications n WHERE \(conditions)"
        )
    }

    private func page(
        at position: PagePosition,
        where conditions: Query
    ) async throws -> ListPage<ListedNotification> {
        let keyset = KeysetClauses(
            columns: ("n.received_at", "n.id"),
            direction: .descending,
            position: position
        ) { "\($0.date)" }
        let rows = try await reader.query(
            """
            SELECT n.id, n.received_at, n.store, n.environment, n.type, n.subtype, n.notification_uuid, n.state,
                n.attempt, n.last_error, n.original_transaction_id,
                coalesce(
                    (SELECT o.number
                     FROM ledger_entries t
                     JOIN orders o ON o.id = t.order_id
                     WHERE t.notification_id = n.id
                     ORDER BY t.id DESC
                     LIMIT 1),
                    (SELECT o.number
                     FROM orders o
                     WHERE o.subscription_id = n.subscription_id
                     ORDER BY o.purchased_at DESC, o.id DESC
                     LIMIT 1))
            FROM store_notifications n
            WHERE \(conditions)\(keyset.condition)
            ORDER BY \(keyset.order)
            LIMIT \(unsafe: String(ListPageSize.fetched))
            """
        )
        return ListPage(try rows.map(ListedNotification.init(row:)), at: position)
    }
}

extension ListedNotification {
    fileprivate init(row: Postgres.Row) throws {
        (
            id, receivedAt, store, environment, type, subtype, notificationUUID, state, attempts, lastError,
            originalTransactionID, orderNumber
        ) = try row.decode(
            UUID.self,
            Date.self,
            Store.self,
            StoreEnvironment.self,
            String.self,
            String?.self,
            String.self,
            NotificationState.self,
            Int.self,
            String?.self,
            String?.self,
            String?.self
        )
    }
}
