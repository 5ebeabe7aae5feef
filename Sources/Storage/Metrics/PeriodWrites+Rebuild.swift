package import Billing
import Foundation
import Postgres

extension PeriodWrites {
    /// Writes the stretches of access of a few customers, and the changes of what they may use, as their events tell them, like
    /// something that becomes known now. Locks them until the transaction ends.
    package func mend(_ customers: [Customer.ID], app: App.ID) async throws {
        let (stored, catalog, overrides) = try await read(customers, app: app)
        let replays = try await replays(of: customers, app: app)
        for customer in customers {
            var held = stored.filter { $0.customer == customer }
            let told = replays[customer]?.stored ?? []
            let given = overrides.of(customer)
            for subscription in Set((held + told).map(\.period.subscription)) {
                let changes = PeriodChanges(
                    from: held,
                    subscription: subscription,
                    to: told.filter { $0.period.subscription == subscription },
                    overrides: (given, given),
                    in: catalog
                )
                try await transaction.pipeline(changes.statements(at: transaction.now))
                held = held.filter { !changes.retired.contains($0.id) } + changes.added
            }
            try await rewriteChanges(of: customer, holding: held, given, app: app, in: catalog)
        }
    }

    private func rewriteChanges(
        of customer: Customer.ID,
        holding held: [StoredPeriod],
        _ overrides: EntitlementOverrides,
        app: App.ID,
        in catalog: PeriodCatalog
    ) async throws {
        let changes = AccessChanges(from: ([], EntitlementOverrides()), to: (held, overrides), app: app, in: catalog)
            .added
        var statements: [Query] = [
            """
            UPDATE access_changes
            SET retired_at = \(transaction.now)
            WHERE app_id = \(app) AND customer_id = \(customer) AND retired_at IS NULL
            """
        ]
        if !changes.isEmpty {
            statements.append(
                AccessChanges.Change.insertion(of: changes.map { ($0, transaction.now, nil) }, app: app)
            )
        }
        try await transaction.pipeline(statements)
    }

    private func replays(of customers: [Customer.ID], app: App.ID) async throws -> [Customer.ID: CustomerReplay] {
        guard !customers.isEmpty else { return [:] }
        let results = try await transaction.pipeline(
            ToldFact.statements(of: customers.map(\.uuid)) + PeriodCatalog.statements(app: app)
        )
        let catalog = try PeriodCatalog(app: app, results[2...])
        var replays: [Customer.ID: CustomerReplay] = [:]
        for (customer, facts) in try ToldFact.byCustomer(results[..<2]) {
            replays[customer] = CustomerReplay(
                of: customer,
                facts,
                byDay: false,
                in: catalog,
                newID: transaction.newUUID
            )
        }
        return replays
    }
}
