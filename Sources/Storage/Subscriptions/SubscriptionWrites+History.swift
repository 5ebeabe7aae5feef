import Billing
package import Foundation
import Postgres

/// Pending writes of several events of one subscription, in their transaction.
package struct UnwrittenChanges: Sendable {
    fileprivate var events: [Query] = []
    /// Rows.
    fileprivate var orders: [Query] = []
    /// Entries and what follows from them, in the order of the events.
    fileprivate var books: [Query] = []
    fileprivate var metrics = UnwrittenMetrics()
    fileprivate var ends: [QueueTable.End] = []
    /// The statement that makes the subscription's row what the last event left it.
    fileprivate var subscription: (id: Subscription.ID, update: Query)?

    package init() {}
}

extension SubscriptionWrites {
    /// Keeps the changes of an event of a history, to write them with those of others. The event changes no earlier one, and no refund.
    package func keep(
        _ changes: SubscriptionChanges,
        from incoming: IncomingEvent,
        at end: Date,
        in unwritten: inout UnwrittenChanges
    ) {
        unwritten.events.append(eventInsert(changes, incoming))
        unwritten.orders += changes.newOrders.map { orderRow($0, changes, incoming) }
        unwritten.books += changes.changedOrders.filter(\.isPricedNow).map(orderPricing)
        unwritten.books += changes.newEntries.map { entryInsert($0, changes, incoming) }
        unwritten.books += changes.changedOrders.flatMap(orderUpdates)
        unwritten.books += changes.newOrders.flatMap { orderAliases($0.id, $0.booked) }
        unwritten.metrics.add(changes.periods, at: transaction.now)
        if let leased = incoming.notification {
            unwritten.ends.append(
                QueueTable.End(lease: leased.lease, error: changes.newStep.rejectionReason?.message, at: end)
            )
        }
        unwritten.subscription = (changes.id, subscriptionUpdate(changes))
    }

    /// Writes what was kept, in one round trip. Entries are written one by one: each is counted as what was known then.
    package func save(_ unwritten: inout UnwrittenChanges) async throws {
        guard let subscription = unwritten.subscription else { return }
        var statements = unwritten.events
        if !unwritten.orders.isEmpty { statements.append(orderInsert(unwritten.orders)) }
        statements += unwritten.books + unwritten.metrics.written + [subscription.update]
        if !unwritten.ends.isEmpty {
            let named: Query = ", subscription_id = \(subscription.id)"
            statements.append(
                QueueTable.notifications.finish(unwritten.ends, as: "processed", or: "failed", setting: named)
            )
        }
        try await transaction.pipeline(statements)
        unwritten = UnwrittenChanges()
    }

    /// Locks notifications, and says whether all of them are still leased to us.
    package func hold(_ leased: [LeasedNotification]) async throws -> Bool {
        try await transaction.lock(QueueTable.notifications.check(leased.map(\.lease))).count == leased.count
    }
}
