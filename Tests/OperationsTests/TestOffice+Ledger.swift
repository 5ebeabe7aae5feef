import Operations
import Postgres
import Storage

/// Reads the books for tests, a line a row.
extension TestOffice {
    func subscriptions() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', s.original_transaction_id, s.state, s.transaction_id, p.name, 'of', c.key)
            FROM subscriptions s
            JOIN customers c ON c.id = s.customer_id
            LEFT JOIN products p ON p.id = s.product_id
            ORDER BY s.original_transaction_id
            """
        )
    }

    /// Returns the orders without their numbers, which depend on the order of arrival.
    func orders() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', o.transaction_id, o.kind, o.status, o.amount, o.refunded, o.currency, o.plan_code, 'of',
                c.key)
            FROM orders o
            JOIN customers c ON c.id = o.customer_id
            ORDER BY o.purchased_at, o.transaction_id
            """
        )
    }

    func ledger() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', o.transaction_id, t.kind, t.amount, regexp_replace(t.reference, '\\d{13}', 'TIME'))
            FROM ledger_entries t
            JOIN orders o ON o.id = t.order_id
            ORDER BY o.purchased_at, t.occurred_at, t.reference
            """
        )
    }

    func events() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', kind, state_before, state_after, rejection_reason)
            FROM subscription_events
            ORDER BY signed_at, event_id
            """
        )
    }

    func notifications() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', notification_uuid || ':', state, last_error)
            FROM store_notifications
            ORDER BY signed_at, notification_uuid
            """
        )
    }

    /// Applies a notification as a worker does; returns nil when somebody is changing its customer, so that it has to be tried
    /// again.
    func applied(_ leased: LeasedNotification) async throws -> ApplyResult? {
        do {
            return try await backOffice.apply(leased)
        } catch  where DatabaseFailure(error) == .busy {
            return nil
        }
    }

    func attempts() async throws -> [String] {
        try await lines(
            """
            SELECT concat_ws(' ', a.attempt, a.result, a.error)
            FROM notification_attempts a
            JOIN store_notifications n ON n.id = a.notification_id
            ORDER BY n.signed_at, n.notification_uuid, a.attempt
            """
        )
    }

    /// Returns everything that applying a notification may touch.
    func everything() async throws -> [String] {
        var all = try await subscriptions() + orders() + ledger() + events() + notifications() + attempts()
        all.append("\(try await count("customers")) customers")
        return all
    }
}
