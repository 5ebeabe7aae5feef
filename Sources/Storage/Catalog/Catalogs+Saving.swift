package import Billing
import Foundation
import Postgres

/// Writes the parts of a catalogue row by row.
extension CatalogWrites {
    package func save(app catalog: Catalog, as id: App.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO apps
                (id, slug, name, time_zone, reporting_currency, refund_self_approval_limit, typed_confirmation_from, refund_request_expires_after_days,
                 support_grant_limit_days, bulk_approval_from, trial_conversion_days, offline_hours, checkout_minutes, cors_origins, sandbox_access,
                 metrics_version, transfer_behavior, owner_hint, created_at, updated_at)
            VALUES
                (\(id), \(catalog.app), \(catalog.name), \(catalog.timeZone), \(catalog.reportingCurrency.code),
                 \(catalog.refunds.selfApprovalLimit?.minorUnits), \(catalog.refunds.typedConfirmationFrom.minorUnits),
                 \(catalog.refunds.requestExpiresAfterDays, as: Int32.self),
                 \(catalog.supportGrantLimitDays, as: Int32.self), \(catalog.bulkApprovalFrom, as: Int32.self),
                 \(catalog.trialConversionDays, as: Int32.self), \(catalog.offlineHours, as: Int32.self),
                 \(catalog.checkoutMinutes, as: Int32.self),
                 \(catalog.corsOrigins), \(catalog.sandboxAccess), \(MetricDefinitions.version, as: Int32.self),
                 \(catalog.transferBehavior), \(catalog.ownerHint),
                 \(transaction.now), \(transaction.now))
            ON CONFLICT (slug) DO UPDATE
            SET name = excluded.name, time_zone = excluded.time_zone, reporting_currency = excluded.reporting_currency,
                refund_self_approval_limit = excluded.refund_self_approval_limit,
                typed_confirmation_from = excluded.typed_confirmation_from,
                refund_request_expires_after_days = excluded.refund_request_expires_after_days,
                support_grant_limit_days = excluded.support_grant_limit_days,
                bulk_approval_from = excluded.bulk_approval_from,
                trial_conversion_days = excluded.trial_conversion_days, cors_origins = excluded.cors_origins,
                -- Trials of before are counted again.
                metrics_version = CASE WHEN apps.trial_conversion_days = excluded.trial_conversion_days
                    THEN apps.metrics_version ELSE 0 END,
                transfer_behavior = excluded.transfer_behavior, owner_hint = excluded.owner_hint,
                offline_hours = excluded.offline_hours, checkout_minutes = excluded.checkout_minutes,
                sandbox_access = excluded.sandbox_access, updated_at = excluded.updated_at
            """
        )
    }

    /// - Parameter fee: nil for the store's usual share.
    package func save(fee: StoreFee?, at store: Store, of app: App.ID) async throws {
        let own = fee?.storefronts ?? []
        let rows: [Query] = own.flatMap { terms in
            terms.storefronts.map { storefront in
                """
                (\(app), \(store), \(storefront), coalesce(\(terms.since), '-infinity'::timestamptz), \(terms.number, as: Int16.self),
                    \(terms.share.firstYear, as: Int32.self), \(terms.share.later, as: Int32.self))
                """
            }
        }
        let told: Query = "SELECT storefront, since, number FROM store_terms WHERE app_id = \(app) AND store = \(store)"
        let before = try await transaction.query("\(told) ORDER BY 3")
        try await transaction.pipeline([
            "DELETE FROM store_fees WHERE app_id = \(app) AND store = \(store)",
            "DELETE FROM store_terms WHERE app_id = \(app) AND store = \(store)",
        ])
        if let fee, fee.share != nil || fee.isOnIOSOnly {
            try await transaction.query(
                """
                INSERT INTO store_fees (app_id, store, first_year, later, on_ios_only)
                VALUES (\(app), \(store), \(fee.share?.firstYear, as: Int32.self), \(fee.share?.later, as: Int32.self), \(fee.isOnIOSOnly))
                """
            )
        }
        if !rows.isEmpty {
            try await transaction.query(
                """
                INSERT INTO store_terms (app_id, store, storefront, since, number, first_year, later)
                VALUES \(Query.list(rows))
                """
            )
        }
        // Cells are by the terms' numbers: where those are of other storefronts and dates, they are made again.
        let after = try await transaction.query("\(told) ORDER BY 3")
        guard try Self.terms(before) != Self.terms(after) else { return }
        try await transaction.query("UPDATE apps SET metrics_version = 0 WHERE id = \(app)")
    }

    private static func terms(_ rows: Rows) throws -> [String] {
        try rows.map { row in
            let (storefront, since, number) = try row.decode(String.self, Date?.self, Int16.self)
            return "\(storefront) \(since?.milliseconds ?? 0) \(number)"
        }
    }

    /// Ranks are unique; so that two plans can swap theirs, all step aside first.
    package func makeRoomForRanks(of app: App.ID) async throws {
        try await transaction.query("UPDATE plans SET rank = rank + 1000000 WHERE app_id = \(app)")
    }

    /// Without what it includes.
    package func save(plan: CatalogPlan, as id: Identifier<Plan>, of app: App.ID) async throws {
        let benefits = try PlanBenefit.json(of: plan.benefits)
        try await transaction.query(
            """
            INSERT INTO plans (id, app_id, code, name, names, benefits, rank)
            VALUES
                (\(id), \(app), \(plan.plan.code), \(plan.name), \(plan.names), \(benefits),
                 \(plan.plan.rank, as: Int32.self))
            ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, names = excluded.names, benefits = excluded.benefits, rank = excluded.rank
            """
        )
    }

    package func remove(plan: Identifier<Plan>) async throws {
        try await transaction.query("DELETE FROM plans WHERE id = \(plan)")
    }

    package func save(
        product: CatalogProduct,
        as id: ProductRecord.ID,
        plan: Identifier<Plan>,
        of app: App.ID
    ) async throws {
        try await transaction.query(
            """
            INSERT INTO products
                (id, app_id, plan_id, store, store_product_id, name, names, is_recommended, is_consumable, period_count,
                 period_unit, trial_count, trial_unit, created_at, updated_at)
            VALUES
                (\(id), \(app), \(plan), \(product.store), \(product.id), \(product.name), \(product.names),
                 \(product.isRecommended), \(product.isConsumable), \(product.period?.count, as: Int32.self),
                 \(product.period?.unit.rawValue), \(product.trial?.count, as: Int32.self), \(product.trial?.unit.rawValue), \(transaction.now),
                 \(transaction.now))
            ON CONFLICT (id) DO UPDATE
            SET plan_id = excluded.plan_id, name = excluded.name, names = excluded.names,
                is_recommended = excluded.is_recommended, is_consumable = excluded.is_consumable, period_count = excluded.period_count,
                period_unit = excluded.period_unit, trial_count = excluded.trial_count,
                trial_unit = excluded.trial_unit, updated_at = excluded.updated_at
            """
        )
        try await transaction.query("DELETE FROM product_credits WHERE product_id = \(id)")
        for (feature, amount) in product.credits {
            try await transaction.query(
                """
                INSERT INTO product_credits (product_id, feature_id, amount)
                SELECT \(id), id, \(amount) FROM features WHERE app_id = \(app) AND code = \(feature)
                """
            )
        }
        try await transaction.query("DELETE FROM product_prices WHERE product_id = \(id)")
        for price in product.prices {
            try await transaction.query(
                """
                INSERT INTO product_prices (product_id, currency, minor_units)
                VALUES (\(id), \(price.currency.code), \(price.minorUnits))
                """
            )
        }
    }

    /// A store recommends one product; so that another can be it, this one steps aside first.
    package func endRecommendation(of product: ProductRecord.ID) async throws {
        try await transaction.query("UPDATE products SET is_recommended = false WHERE id = \(product)")
    }

    package func remove(product: ProductRecord.ID) async throws {
        try await transaction.query("DELETE FROM product_prices WHERE product_id = \(product)")
        try await transaction.query("DELETE FROM product_credits WHERE product_id = \(product)")
        try await transaction.query("DELETE FROM products WHERE id = \(product)")
    }
}
