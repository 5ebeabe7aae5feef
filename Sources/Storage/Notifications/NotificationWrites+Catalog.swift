package import Billing
import Postgres

extension NotificationWrites {
    /// Has notifications tried again that wait for people because the catalogue lacked their product, or how long it lasts.
    ///
    /// - Parameter products: the store's identifiers of those that it has.
    package func reviveWhatLacked(_ products: [String], of app: App.ID) async throws {
        let table = QueueTable.notifications
        try await transaction.pipeline([
            table.revival(
                where: """
                    \(table.isDeadLetter) AND q.app_id = \(app) AND q.last_error LIKE '%catalogue%'
                        AND (q.event -> 'transaction' ->> 'productID' = ANY(\(products)) OR EXISTS (
                            SELECT FROM jsonb_array_elements(q.other_events) AS e(event)
                            WHERE e.event -> 'transaction' ->> 'productID' = ANY(\(products))))
                    """
            ),
            table.wakeUp,
        ])
    }
}
