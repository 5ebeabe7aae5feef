package import Billing
import Foundation
import Postgres

extension TrialOffer {
    /// At most one row.
    static func query(of app: App.ID) -> Query {
        """
        SELECT p.code, t.period_count, t.period_unit, t.product_ids
        FROM trial_offers t
        JOIN plans p ON p.id = t.plan_id
        WHERE t.app_id = \(app)
        """
    }

    init?(_ rows: Rows) throws {
        guard let row = rows.first else { return nil }
        let (plan, count, unit, products) = try row.decode(String.self, Int32.self, String.self, [String].self)
        guard let unit = BillingPeriod.Unit(rawValue: unit) else { return nil }
        self.init(plan: plan, period: BillingPeriod(Int(count), unit), products: products)
    }
}

extension CatalogWrites {
    /// - Parameter offer: nil for an app that gives no trial.
    package func save(trial offer: (TrialOffer, plan: Identifier<Plan>)?, of app: App.ID) async throws {
        guard let (trial, plan) = offer else {
            try await transaction.query("DELETE FROM trial_offers WHERE app_id = \(app)")
            return
        }
        try await transaction.query(
            """
            INSERT INTO trial_offers (app_id, plan_id, period_count, period_unit, product_ids)
            VALUES (\(app), \(plan), \(trial.period.count, as: Int32.self), \(trial.period.unit.rawValue), \(trial.products))
            ON CONFLICT (app_id) DO UPDATE
            SET plan_id = excluded.plan_id, period_count = excluded.period_count, period_unit = excluded.period_unit,
                product_ids = excluded.product_ids
            """
        )
    }
}
