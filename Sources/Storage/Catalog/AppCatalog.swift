package import Billing
import Foundation
import Postgres

/// What an app sells, as its customers may be told: features, plans with what they include, and products with their prices.
package struct AppCatalog: Hashable, Sendable {
    /// In the order of the catalogue file.
    package var features: [FeatureRecord]
    /// By rank.
    package var plans: [CatalogPlan]
    /// By store and the store's identifier.
    package var products: [CatalogProduct]

    package init(features: [FeatureRecord], plans: [CatalogPlan], products: [CatalogProduct]) {
        self.features = features
        self.plans = plans
        self.products = products
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
            }
        )
    }
}

extension AppCatalog {
    /// The plan that everybody has; nil for an app that gives nothing for nothing.
    package var basePlan: CatalogPlan? { plans.first { $0.plan.rank == 0 } }
}
