package import Billing
import Foundation
import Postgres

extension WriteTransaction {
    package var periods: PeriodWrites { PeriodWrites(transaction: self) }
}

/// Keeps the stretches of access, and the metrics that follow from them.
package struct PeriodWrites: Sendable {
    let transaction: WriteTransaction

    /// The changes of a subscription's access periods. Locks the customers until the transaction ends.
    ///
    /// - Parameters:
    ///   - periods: the periods by its events now.
    ///   - failures: its renewals that could not be charged, by its events before and now.
    ///   - owners: its owner before and now; the same when it did not move.
    ///   - isNew: true if no event of it was known before.
    ///   - held: the access of its only owner, where this transaction knows it already.
    package func changes(
        of subscription: Subscription.ID,
        to periods: [AccessPeriod],
        failures: (before: [FailedCharge], now: [FailedCharge]),
        from event: StoreEvent,
        owners: (before: Customer.ID, now: Customer.ID),
        isNew: Bool,
        app: App.ID,
        held: HeldAccess? = nil
    ) async throws -> PeriodChanges {
        let (stored, catalog, overrides) =
            if let held { (held.periods, held.catalog, held.overrides) } else {
                try await read([owners.before, owners.now], app: app)
            }
        let next = catalog.stored(
            periods,
            of: subscription,
            at: event.store,
            in: event.environment,
            for: owners.now,
            newID: transaction.newUUID
        )
        return PeriodChanges(
            from: stored,
            subscription: subscription,
            to: next,
            overrides: (
                overrides.having(subscription, in: event.environment, of: isNew ? nil : owners.before),
                overrides.having(subscription, in: event.environment, of: owners.now)
            ),
            failures: event.environment == .production
                ? (
                    catalog.entries(of: failures.before, at: event.store),
                    catalog.entries(of: failures.now, at: event.store)
                )
                : ([], []),
            in: catalog
        )
    }

    /// Notes that people gave a charge back in full.
    ///
    /// - Parameter transactionID: the charge's, at its store.
    func noteGivenBack(
        _ transactionID: String,
        of subscription: Subscription.ID,
        ownedBy customer: Customer.ID,
        at moment: Date,
        app: App.ID
    ) async throws {
        let (stored, catalog, overrides) = try await read([customer], app: app)
        let next = stored.filter { $0.period.subscription == subscription }.flatMap { row in
            [row.period.access].givenBack([transactionID: moment.stored]).map { access in
                var period = row
                (period.id, period.period.access) = (transaction.newUUID(), access)
                return period
            }
        }
        let changes = PeriodChanges(
            from: stored,
            subscription: subscription,
            to: next,
            overrides: (overrides, overrides),
            in: catalog
        )
        try await transaction.pipeline(changes.statements(at: transaction.now))
    }

    /// Has a subscription's stretches of access, and what they add to the metrics, follow it to another customer; what
    /// both may use is left to `noteAccess`.
    func move(_ subscription: Subscription.ID, from old: Customer.ID, to new: Customer.ID, app: App.ID) async throws {
        let (stored, catalog, _) = try await read([old, new], app: app)
        let next = stored.filter { $0.period.subscription == subscription }.map { period in
            var period = period
            (period.id, period.customer) = (transaction.newUUID(), new)
            return period
        }
        let changes = PeriodChanges(
            from: stored,
            subscription: subscription,
            to: next,
            overrides: nil,
            in: catalog
        )
        try await transaction.pipeline(changes.statements(at: transaction.now))
    }

    /// Notes how what customers may use is changed by what staff do.
    func noteAccess<Value: Sendable>(
        of customers: [Customer.ID],
        app: App.ID,
        while change: () async throws -> Value
    ) async throws -> Value {
        let (before, catalog, besideBefore) = try await read(customers, app: app)
        let value = try await change()
        let (after, _, besideAfter) = try await read(customers, app: app)
        let (settled, conversions) = besideAfter.convertingTrials(by: after)
        let changes = AccessChanges(
            from: (before, besideBefore),
            to: (after, settled),
            app: app,
            in: catalog
        )
        var statements = conversions.map { $0.conversion(at: transaction.now) }
        statements += changes.statements(at: transaction.now, in: catalog.zone)
        if !changes.entries.isEmpty {
            statements.append(changes.entries.insertion(app: app, zone: catalog.zone, at: transaction.now))
        }
        try await transaction.pipeline(statements)
        return value
    }

    /// Reads what a customer may use, and keeps it from others until the transaction ends.
    package func held(by customer: Customer.ID, app: App.ID) async throws -> HeldAccess {
        let (periods, catalog, overrides) = try await read([customer], app: app)
        return HeldAccess(customer: customer, periods: periods, catalog: catalog, overrides: overrides)
    }

    /// - Parameter locks: true to lock the customers until the transaction ends.
    func read(
        _ customers: [Customer.ID],
        app: App.ID,
        locking locks: Bool = true
    ) async throws -> ([StoredPeriod], PeriodCatalog, EntitlementOverrides) {
        let ids = Array(Set(customers.map(\.uuid)))
        let results = try await transaction.lock(
            [
                """
                SELECT id FROM customers WHERE id = ANY(\(ids)) ORDER BY id \(locks ? "FOR NO KEY UPDATE" : "" as Query)
                """,
                """
                SELECT \(StoredPeriod.columns)
                FROM access_periods h
                JOIN products p ON p.id = h.product_id
                WHERE h.customer_id = ANY(\(ids)) AND h.retired_at IS NULL
                """,
            ] + EntitlementOverrides.statements(of: ids) + PeriodCatalog.statements(app: app)
        )
        return (
            try results[1].map(StoredPeriod.init(row:)), try PeriodCatalog(app: app, results[5...]),
            try EntitlementOverrides(results[2..<5])
        )
    }
}
