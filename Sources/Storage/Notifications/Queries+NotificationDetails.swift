package import Billing
package import Foundation
import Postgres

extension Queries {
    /// The page of one notification; nil when the app has none of that key.
    package func notification(id: UUID, app: App.ID) async throws -> NotificationDetails? {
        let head = try await reader.query(
            """
            SELECT received_at, store, environment, type, subtype, notification_uuid, state, attempt, last_error,
                original_transaction_id, signed_at, finalized_at, scheduled_at, signed_payload, subscription_id
            FROM store_notifications
            WHERE id = \(id) AND app_id = \(app)
            """
        ).first
        guard var columns = try head?.columns(15) else { return nil }
        let row = ListedNotification(
            id: id,
            receivedAt: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            type: try columns.next(),
            subtype: try columns.next(),
            notificationUUID: try columns.next(),
            state: try columns.next(),
            attempts: try columns.next(),
            lastError: try columns.next(),
            originalTransactionID: try columns.next(),
            orderNumber: nil
        )
        let (signedAt, finishedAt): (Date, Date?) = (try columns.next(), try columns.next())
        let nextAttemptAt: Date = try columns.next()
        let signedPayload: Personal<String> = try columns.next()
        let subscription: Subscription.ID? = try columns.next()
        async let effect = effect(of: id)
        async let attempts = attempts(of: id)
        async let orders = orders(of: subscription, notification: id)
        return try await NotificationDetails(
            row: row,
            signedAt: signedAt,
            finishedAt: finishedAt,
            nextAttemptAt: nextAttemptAt,
            signedPayload: signedPayload,
            effect: effect,
            attempts: attempts,
            orders: orders
        )
    }

    private func effect(of notification: UUID) async throws -> NotificationDetails.Effect? {
        try await reader.query(
            """
            SELECT state_before, state_after, rejection_reason
            FROM subscription_events
            WHERE notification_id = \(notification)
            """
        ).first.map { row in
            let (before, after, rejectionReason) = try row.decode(
                Subscription.State.self,
                Subscription.State.self,
                String?.self
            )
            return NotificationDetails.Effect(before: before, after: after, rejectionReason: rejectionReason)
        }
    }

    private func attempts(of notification: UUID) async throws -> [NotificationDetails.Attempt] {
        try await reader.query(
            """
            SELECT attempt, result, error, started_at, finished_at
            FROM notification_attempts
            WHERE notification_id = \(notification)
            ORDER BY attempt
            """
        ).map { row in
            let (number, result, error, startedAt, finishedAt) = try row.decode(
                Int.self,
                NotificationDetails.Attempt.Result.self,
                String?.self,
                Date.self,
                Date.self
            )
            return NotificationDetails.Attempt(
                number: number,
                result: result,
                error: error,
                startedAt: startedAt,
                finishedAt: finishedAt
            )
        }
    }

    private func orders(
        of subscription: Subscription.ID?,
        notification: UUID
    ) async throws -> [NotificationDetails.LinkedOrder] {
        guard let subscription else { return [] }
        return try await reader.query(
            """
            SELECT o.number, o.kind, o.status, o.amount, o.currency, o.purchased_at,
                EXISTS (SELECT FROM ledger_entries t WHERE t.order_id = o.id AND t.notification_id = \(notification))
            FROM orders o
            WHERE o.subscription_id = \(subscription)
            ORDER BY o.purchased_at DESC, o.id DESC
            LIMIT \(OrderDetails.listLimit)
            """
        ).map { row in
            let (number, kind, status, amount, currency, purchasedAt, isMadeByIt) = try row.decode(
                String.self,
                LedgerEntry.Kind.self,
                OrderStatus.self,
                Int64?.self,
                Currency?.self,
                Date.self,
                Bool.self
            )
            return NotificationDetails.LinkedOrder(
                number: number,
                kind: kind,
                status: status,
                amount: amount,
                currency: currency,
                purchasedAt: purchasedAt,
                isMadeByIt: isMadeByIt
            )
        }
    }
}

extension NotificationDetails.Attempt.Result: PostgresDecodable {}
