package import Billing
import Foundation
import Postgres

/// Another subscription has the order of a transaction; nothing was written.
package struct OrderIsElsewhere: Error {}

/// The names that lead to an order beside its own transaction id.
extension SubscriptionWrites {
    /// Keeps the other ids of an order's purchase; its own may have been one of them.
    func orderAliases(_ order: Order.ID, _ booked: BookedOrder) -> [Query] {
        guard !booked.otherTransactionIDs.isEmpty else { return [] }
        return [
            "DELETE FROM order_aliases WHERE order_id = \(order) AND transaction_id = \(booked.transactionID)",
            """
            INSERT INTO order_aliases (app_id, store, environment, transaction_id, order_id, recorded_at)
            SELECT o.app_id, o.store, o.environment, name, o.id, \(transaction.now)
            FROM orders o
            CROSS JOIN unnest(\(booked.otherTransactionIDs)::text[]) AS name
            WHERE o.id = \(order) AND name <> o.transaction_id
            ON CONFLICT ON CONSTRAINT a_transaction_is_of_one_order DO NOTHING
            """,
        ]
    }

    /// Makes void what was booked for a purchase that has an order already. The sums that it is in are made again.
    func orderJoining(_ joined: SubscriptionChanges.JoinedOrder, of app: App.ID) -> [Query] {
        [
            """
            UPDATE orders
            SET status = 'cancelled', refunded = 0, refunded_at = NULL, credited = 0, joined_into = \(joined.into),
                joined_at = \(transaction.now), updated_at = \(transaction.now)
            WHERE id = \(joined.id)
            """,
            "UPDATE ledger_entries SET status = 'cancelled' WHERE order_id = \(joined.id) AND status = 'success'",
            "UPDATE apps SET metrics_version = 0 WHERE id = \(app)",
        ]
    }

    /// Notes that the order of an event's transaction is another subscription's.
    func dispute(_ incoming: IncomingEvent, of subscription: Subscription.ID) -> Query {
        let event = incoming.event
        return """
            INSERT INTO disputed_transactions (subscription_id, order_id, noticed_at)
            SELECT \(subscription), o.id, \(transaction.now)
            FROM orders o
            WHERE o.app_id = \(incoming.app) AND o.store = \(event.store) AND o.environment = \(event.environment)
                AND o.transaction_id = \(event.transaction.id) AND o.joined_into IS NULL
                AND o.subscription_id <> \(subscription)
            ON CONFLICT ON CONSTRAINT a_dispute_is_noticed_once DO NOTHING
            """
    }

    /// The numbers of orders, in no order.
    package func numbers(of orders: [Order.ID]) async throws -> [Order.ID: String] {
        let rows = try await transaction.query("SELECT id, number FROM orders WHERE id = ANY(\(orders.map(\.uuid)))")
        return Dictionary(try rows.map { try $0.decode(Order.ID.self, String.self) }) { first, _ in first }
    }

    /// The original id of the subscription that has the order of a transaction; nil where none has.
    package func originalID(ofOrderOf transactionID: String, _ incoming: IncomingEvent) async throws -> String? {
        let event = incoming.event
        return try await transaction.query(
            """
            SELECT s.original_transaction_id
            FROM orders o
            JOIN subscriptions s ON s.id = o.subscription_id
            WHERE o.app_id = \(incoming.app) AND o.store = \(event.store) AND o.environment = \(event.environment)
                AND o.transaction_id = \(transactionID) AND o.joined_into IS NULL
            """
        ).first?.decode(0, as: String.self)
    }
}

extension StoredSubscription {
    /// The orders of one purchase: the one that stays, then those that turned out to be the same.
    package func orders(of booked: BookedOrder) -> [StoredOrder] {
        guard !booked.otherTransactionIDs.isEmpty else {
            return orders.first { $0.transactionID == booked.transactionID }.map { [$0] } ?? []
        }
        return orders.filter { booked.isCalled($0.transactionID) }.sorted { first, second in
            let isFirst = first.transactionID == booked.transactionID
            let isSecond = second.transactionID == booked.transactionID
            return isFirst == isSecond ? first.id.uuid.uuidString < second.id.uuid.uuidString : isFirst
        }
    }
}
