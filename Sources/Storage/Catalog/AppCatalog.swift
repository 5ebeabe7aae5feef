package import Billing
package import Foundation
import Postgres

/// The catalogue that customers may see: features, plans with their features, and products with their prices.
package struct AppCatalog: Hashable, Sendable {
    /// In the order of the catalogue file.
    package var features: [FeatureRecord]
    /// By rank.
    package var plans: [CatalogPlan]
    /// By store and the store's identifier.
    package var products: [CatalogProduct]
    package var paywall: PaywallCopy
    /// The time, in hours, for which a signed entitlement is valid offline.
    package var offlineHours: Int
    /// nil for an app that gives no trial by itself.
    package var trial: TrialOffer?

    package init(
        features: [FeatureRecord],
        plans: [CatalogPlan],
        products: [CatalogProduct],
        paywall: PaywallCopy = PaywallCopy(),
        offlineHours: Int = 24,
        trial: TrialOffer? = nil
    ) {
        self.features = features
        self.plans = plans
        self.products = products
        self.paywall = paywall
        self.offlineHours = offlineHours
        self.trial = trial
    }
}

extension AppReads {
    /// In one round trip, for a caller who remembers it. While a catalogue is being applied, a plan may include a feature that is not
    /// among `features`.
    ///
    /// - Returns: an empty catalogue for an app that there is not.
    package func catalog(of app: App.ID) async throws -> AppCatalog {
        let rows = try await reader.pipeline([
            FeatureRecord.query(of: app), CatalogPlan.query(of: app), CatalogProduct.query(of: app),
            PaywallCopy.query(of: app), "SELECT offline_hours FROM apps WHERE id = \(app)",
            TrialOffer.query(of: app),
        ])
        return AppCatalog(
            // safe: one answer a statement
            features: try rows[0].map(FeatureRecord.init(row:)),
            plans: try rows[1].map { row in
                var columns = try row.columns(CatalogPlan.columnCount)
                return try CatalogPlan(&columns)
            },
            products: try rows[2].map { row in
                var columns = try row.columns(CatalogProduct.columnCount)
                return try CatalogProduct(&columns)
            },
            paywall: try PaywallCopy(rows[3]),
            offlineHours: Int(try rows[4].first?.decode(0, as: Int32.self) ?? 24),
            trial: try TrialOffer(rows[5])  // safe: as above
        )
    }
}

extension AppCatalog {
    /// The plan that everybody has; nil for an app that gives nothing for nothing.
    package var basePlan: CatalogPlan? { plans.first { $0.plan.rank == 0 } }

    /// The code of the plan that a customer has: what they hold gives it, or everybody has it; nil for an app that gives nothing for
    /// nothing.
    ///
    /// - Parameter held: nil for a customer of whom nothing is known.
    package func planCode(of held: EntitlementSources?, at now: Date) -> String? {
        held?.entitlement(at: now)?.plan.code ?? basePlan?.plan.code
    }

    /// True if a product brings credits for a feature.
    package func sellsCredits(for feature: String) -> Bool { products.contains { $0.credits[feature] != nil } }

    /// True if any product brings credits.
    package var sellsCredits: Bool { products.contains { !$0.credits.isEmpty } }

    /// nil where the app has none of this code.
    package func feature(_ code: String) -> FeatureRecord? { features.first { $0.code == code } }
}
