package import Billing
import Foundation
import Postgres

extension EntitlementSourceWrites {
    /// Gives a customer a trial. The database refuses a second one.
    package func start(_ trial: Grant, for customer: Customer.ID, of app: App.ID) async throws {
        let rows = try await transaction.periods.noteAccess(of: [customer], app: app) {
            try await transaction.query(
                """
                INSERT INTO grants (id, app_id, customer_id, plan_id, kind, starts_at, ends_at, version, created_at, updated_at)
                SELECT \(trial.id), \(app), \(customer), id, \(trial.kind), \(trial.startsAt), \(trial.endsAt),
                    \(trial.version, as: Int32.self), \(transaction.now), \(transaction.now)
                FROM plans
                WHERE app_id = \(app) AND code = \(trial.plan.code)
                RETURNING id
                """
            )
        }
        // The catalogue may have changed since it was read.
        guard !rows.isEmpty else { throw StaleEntitlementSources() }
    }
}
