package import Billing
import Foundation
import Postgres

/// A subscription whose end has come, as far as is known, without a word of its store.
package struct LapsingSubscription: Sendable {
    package var id: Subscription.ID
    package var app: App.ID
    package var subscription: Subscription
    /// The last event about its current transaction.
    package var last: StoreEvent

    /// The kind of end that time brings.
    package enum Kind: Sendable, CaseIterable {
        /// The end of a paid period, a free trial or a grace period.
        case access
        /// The end of a store's billing retries.
        case billingRetry
    }

    /// The end of a batch.
    package struct Position: Sendable {
        var end: Date
        var id: Subscription.ID
    }
}

extension Database {
    /// The next few subscriptions whose end has come, those longest over first. What a store has sent of one and was not worked on
    /// yet comes before the clock; what renews automatically has `Subscription.renewalDelay` more.
    ///
    /// - Parameter position: the end of the batch before; nil to begin.
    /// - Returns: nil as position after the last batch.
    package func lapsingSubscriptions(
        _ kind: LapsingSubscription.Kind,
        after position: LapsingSubscription.Position?,
        limit: Int
    ) async throws -> (batch: [LapsingSubscription], next: LapsingSubscription.Position?) {
        let rows = try await readPrimary { try await $0.query(Self.lapsing(kind, after: position, limit, at: $0.now)) }
        var batch: [LapsingSubscription] = []
        var next: LapsingSubscription.Position?
        for row in rows {
            var columns = try row.columns(13)
            let (id, app): (Subscription.ID, App.ID) = (try columns.next(), try columns.next())
            var subscription = try Subscription(&columns)
            subscription.transactionID = try columns.next()
            subscription.lastSignedAt = try columns.next()
            next = LapsingSubscription.Position(end: try columns.next(), id: id)
            // A subscription with an unreadable event keeps no other from its end.
            guard let text = try columns.next(String?.self), let event = try? EventJSON.event(from: text) else {
                continue
            }
            subscription.commitment = event.transaction.commitment
            batch.append(LapsingSubscription(id: id, app: app, subscription: subscription, last: event))
        }
        return (batch, rows.count < limit ? nil : next)
    }

    static func lapsing(
        _ kind: LapsingSubscription.Kind,
        after position: LapsingSubscription.Position?,
        _ limit: Int,
        at now: Date
    ) -> Query {
        let end: Query = "greatest(s.period_ends_at, s.grace_period_ends_at)"
        // As `Subscription.nextLapse` has it.
        let isOver: Query =
            switch kind {
            case .access:
                """
                s.state IN ('trial', 'active', 'grace_period', 'cancelled')
                    AND (NOT s.renews_automatically OR \(end) <= \(now.addingTimeInterval(-Subscription.renewalDelay)))
                """
            case .billingRetry:
                """
                s.state = 'billing_retry'
                    AND coalesce(s.period_ends_at <= CASE WHEN s.is_committed
                        THEN \(now.addingTimeInterval(-Subscription.longestCommittedRetry))
                        ELSE \(now.addingTimeInterval(-Subscription.longestBillingRetry)) END, true)
                """
            }
        let beyond: Query = position.map { " AND (\(end), s.id) > (\($0.end), \($0.id))" } ?? ""
        return """
            SELECT s.id, s.app_id, \(Subscription.columns), s.transaction_id, s.last_signed_at, s.over_at, last.event
            FROM (
                SELECT s.*, \(end) AS over_at
                FROM subscriptions s
                WHERE \(isOver) AND \(end) <= \(now)\(beyond)
                    AND NOT EXISTS (
                        SELECT
                        FROM store_notifications n
                        WHERE n.app_id = s.app_id AND n.store = s.store
                            AND n.original_transaction_id = s.original_transaction_id
                            AND n.state IN ('received', 'processing'))
                ORDER BY \(end), s.id
                LIMIT \(limit)
            ) s
            LEFT JOIN LATERAL (
                SELECT e.event::text AS event
                FROM subscription_events e
                WHERE e.subscription_id = s.id AND e.event -> 'transaction' ->> 'id' = s.transaction_id
                    AND e.event -> 'isByClock' IS NULL
                ORDER BY e.signed_at DESC, e.event_id DESC
                LIMIT 1
            ) last ON true
            ORDER BY s.over_at, s.id
            """
    }
}

extension SubscriptionWrites {
    /// Locks a subscription that the clock is about to end, unless somebody else is at work on it: then it is left to them, or to the
    /// next sweep.
    ///
    /// - Returns: whether it is ours.
    package func claim(for incoming: IncomingEvent) async throws -> Bool {
        let names = SubscriptionNames(incoming)
        let key: Query =
            incoming.event.transaction.customerToken.map { "\($0.uuidString.lowercased())" as Query }
            ?? names.customerKey
        // Customers before subscriptions, as `open` and everybody else locks them.
        let results = try await transaction.lock([
            names.lock(names.oldest, isShared: true),
            """
            SELECT id
            FROM customers
            WHERE id IN (
                SELECT id FROM customers WHERE app_id = \(incoming.app) AND key = \(key)
                UNION ALL
                SELECT customer_id FROM subscriptions WHERE \(names.identity))
            ORDER BY id
            FOR NO KEY UPDATE
            """,
            "SELECT id FROM subscriptions WHERE \(names.identity) FOR NO KEY UPDATE SKIP LOCKED",
        ])
        return !results[2].isEmpty  // safe: one answer a statement
    }
}
