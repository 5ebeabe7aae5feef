package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var periods: PeriodWrites { PeriodWrites(transaction: self) }
}

/// Keeps the stretches of access, and the figures that follow from them.
package struct PeriodWrites: Sendable {
    let transaction: WriteTransaction

    /// What a chain's stretches of access change. Locks the customers, and keeps the figures from being made again, until the
    /// transaction ends.
    ///
    /// - Parameters:
    ///   - periods: as its events tell them now.
    ///   - owners: whose the chain was and whose it is, in this order; the same when it did not move.
    package func changes(
        of chain: Subscription.ID,
        to periods: [AccessPeriod],
        told event: StoreEvent,
        owners: (before: Customer.ID, now: Customer.ID),
        app: App.ID
    ) async throws -> PeriodChanges {
        let (stored, catalog) = try await read([owners.before, owners.now], app: app)
        let next = catalog.stored(
            periods,
            of: chain,
            at: event.store,
            in: event.environment,
            for: owners.now,
            newID: transaction.newUUID
        )
        return PeriodChanges(from: stored, chain: chain, to: next, app: app, zone: catalog.zone)
    }

    /// Has a chain's stretches of access, and what they add to the figures, follow it to another customer.
    func move(_ chain: Subscription.ID, from old: Customer.ID, to new: Customer.ID, app: App.ID) async throws {
        let (stored, catalog) = try await read([old, new], app: app)
        let next = stored.filter { $0.period.subscription == chain }.map { period in
            var period = period
            (period.id, period.customer) = (transaction.newUUID(), new)
            return period
        }
        let changes = PeriodChanges(from: stored, chain: chain, to: next, app: app, zone: catalog.zone)
        try await transaction.pipeline(changes.statements(at: transaction.now))
    }

    private func read(_ customers: [Customer.ID], app: App.ID) async throws -> ([StoredPeriod], PeriodCatalog) {
        let ids = Array(Set(customers.map(\.uuid)))
        let results = try await transaction.pipeline(
            [
                "LOCK TABLE access_periods IN ROW EXCLUSIVE MODE",
                "SELECT id FROM customers WHERE id = ANY(\(ids)) ORDER BY id FOR NO KEY UPDATE",
                """
                SELECT \(StoredPeriod.columns)
                FROM access_periods h
                JOIN products p ON p.id = h.product_id
                WHERE h.customer_id = ANY(\(ids)) AND h.retired_at IS NULL
                """,
            ] + PeriodCatalog.statements(app: app)
        )
        return (try results[2].map(StoredPeriod.init(row:)), try PeriodCatalog(app: app, results[3...]))
    }
}
