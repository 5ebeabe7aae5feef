package import Billing
import Foundation
import Postgres

/// An app's catalogue as it is stored, with what has been used of it.
package struct StoredCatalog: Sendable {
    package var app: App.ID
    package var catalog: Catalog
    package var features: [String: FeatureRecord.ID] = [:]
    package var plans: [String: Identifier<Plan>]
    package var products: [ProductKey: ProductRecord.ID]
    /// Products that an order or a subscription names.
    package var usedProducts: Set<ProductKey>
    /// Products that an order at a store of ours was opened for, paid or not: it names them for ever.
    package var orderedProducts: Set<ProductKey> = []
    /// Plans that grants, bulk jobs or batches of promo codes name.
    package var usedPlans: Set<String> = []
    /// By store; the catalogue's own accounts are without secrets.
    package var sealedSecrets: [Store: [UInt8]] = [:]
    /// The catalogue's own issuer is without it.
    package var sealedIssuerSecret: [UInt8]?
    /// Stores that sent notifications.
    package var storesWithNotifications: Set<Store> = []
    package var hasCustomers: Bool

    package struct ProductKey: Hashable, Sendable {
        package var store: Store
        package var id: String

        package init(_ product: CatalogProduct) {
            self.init(store: product.store, id: product.id)
        }

        package init(store: Store, id: String) {
            self.store = store
            self.id = id
        }
    }
}

extension WriteTransaction {
    package var catalogs: CatalogWrites { CatalogWrites(transaction: self) }
}

package struct CatalogWrites: Sendable {
    let transaction: WriteTransaction

    /// The stored catalogue of an app, or nil; nobody else applies one for this app until the transaction ends, nor one that claims
    /// any of the same names. Other apps wait for none of it.
    ///
    /// - Parameter claims: the names that are to lead to one app alone.
    package func lock(_ slug: String, claiming claims: Set<String> = []) async throws -> StoredCatalog? {
        // In one order, so that of two that claim the same names one waits for the other, and not each for each.
        for name in ["app \(slug)"] + claims.sorted() {
            try await transaction.lock("SELECT pg_advisory_xact_lock(hashtextextended(\(name), 15))")
        }
        guard
            let row = try await transaction.query(
                """
                SELECT id, name, time_zone, reporting_currency,
                    refund_self_approval_limit, typed_confirmation_from, refund_request_expires_after_days,
                    EXISTS (SELECT FROM customers c WHERE c.app_id = a.id), support_grant_limit_days, bulk_approval_from,
                    trial_conversion_days, offline_hours, cors_origins, transfer_behavior, owner_hint, sandbox_access,
                    checkout_minutes
                FROM apps a
                WHERE slug = \(slug)
                """
            ).first
        else { return nil }
        let (
            id, name, timeZone, code, selfApproval, confirmation, days, hasCustomers, grantLimit, approvalFrom,
            trialDays,
            offlineHours, origins, behavior, hint, sandboxAccess, checkoutMinutes
        ) =
            try row.decode(
                App.ID.self,
                String.self,
                String.self,
                String.self,
                Int64?.self,
                Int64?.self,
                Int32.self,
                Bool.self,
                Int32.self,
                Int32.self,
                Int32.self,
                Int32.self,
                [String].self,
                TransferBehavior.self,
                OwnerHint.self,
                SandboxAccess.self,
                Int32.self
            )
        let currency = try Currency(stored: code)
        var stored = StoredCatalog(
            app: id,
            catalog: Catalog(
                app: slug,
                name: name,
                timeZone: timeZone,
                reportingCurrency: currency,
                accounts: [],
                refunds: RefundPolicy(currency: currency, selfApproval, confirmation, days),
                plans: [],
                products: [],
                supportGrantLimitDays: Int(grantLimit),
                bulkApprovalFrom: Int(approvalFrom),
                trialConversionDays: Int(trialDays),
                offlineHours: Int(offlineHours),
                checkoutMinutes: Int(checkoutMinutes),
                transferBehavior: behavior,
                ownerHint: hint,
                corsOrigins: origins,
                sandboxAccess: sandboxAccess
            ),
            plans: [:],
            products: [:],
            usedProducts: [],
            hasCustomers: hasCustomers
        )
        try await readAccounts(into: &stored)
        try await readIssuer(into: &stored)
        try await readRateLimits(into: &stored)
        try await readFeatures(into: &stored)
        try await readPlans(into: &stored)
        try await readProducts(into: &stored)
        stored.catalog.fees = try StoreFee.byStore(try await transaction.query(StoreFee.query(of: id)))
        stored.catalog.paywall = try PaywallCopy(try await transaction.query(PaywallCopy.query(of: id)))
        stored.catalog.trial = try TrialOffer(try await transaction.query(TrialOffer.query(of: id)))
        stored.catalog.consumption = try ConsumptionPolicy(try await transaction.query(ConsumptionPolicy.query(of: id)))
        return stored
    }

    private func readAccounts(into stored: inout StoredCatalog) async throws {
        let accounts = try await transaction.query("\(StoredStoreAccount.query) WHERE a.app_id = \(stored.app)")
        for account in try accounts.map(StoredStoreAccount.init(row:)) {
            let store = account.account.store
            stored.catalog.accounts[store] = account.account
            stored.sealedSecrets[store] = account.sealedSecrets
            let notifications = try await transaction.query(
                "SELECT EXISTS (SELECT FROM store_notifications WHERE app_id = \(stored.app) AND store = \(store))"
            )
            if try notifications[0].decode(0, as: Bool.self) { stored.storesWithNotifications.insert(store) }
        }
    }

    private func readFeatures(into stored: inout StoredCatalog) async throws {
        let rows = try await transaction.query(FeatureRecord.query(of: stored.app))
        for record in try rows.map(FeatureRecord.init(row:)) {
            stored.features[record.code] = record.id
            stored.catalog.features.append(record.feature)
        }
    }

    private func readPlans(into stored: inout StoredCatalog) async throws {
        let rows = try await transaction.query(
            """
            SELECT p.id, EXISTS (SELECT FROM grants g WHERE g.plan_id = p.id)
                    OR EXISTS (SELECT FROM bulk_jobs b WHERE b.plan_id = p.id)
                    OR EXISTS (SELECT FROM promo_batches b WHERE b.plan_id = p.id),
                \(CatalogPlan.columns)
            FROM plans p
            WHERE p.app_id = \(stored.app)
            ORDER BY p.rank
            """
        )
        for row in rows {
            var columns = try row.columns(2 + CatalogPlan.columnCount)
            let id: Identifier<Plan> = try columns.next()
            let isUsed: Bool = try columns.next()
            let plan = try CatalogPlan(&columns)
            stored.plans[plan.plan.code] = id
            if isUsed { stored.usedPlans.insert(plan.plan.code) }
            stored.catalog.plans.append(plan)
        }
    }

    private func readProducts(into stored: inout StoredCatalog) async throws {
        let rows = try await transaction.query(
            """
            SELECT p.id, EXISTS (SELECT FROM orders o WHERE o.product_id = p.id)
                    OR EXISTS (SELECT FROM subscriptions s WHERE s.product_id = p.id),
                EXISTS (SELECT FROM checkouts k WHERE k.product_id = p.id),
                \(CatalogProduct.columns)
            FROM products p
            JOIN plans l ON l.id = p.plan_id
            WHERE p.app_id = \(stored.app)
            ORDER BY p.store, p.store_product_id
            """
        )
        for row in rows {
            var columns = try row.columns(3 + CatalogProduct.columnCount)
            let id: ProductRecord.ID = try columns.next()
            let (isUsed, isOrdered): (Bool, Bool) = (try columns.next(), try columns.next())
            let product = try CatalogProduct(&columns)
            let key = StoredCatalog.ProductKey(product)
            stored.products[key] = id
            if isUsed { stored.usedProducts.insert(key) }
            if isOrdered { stored.orderedProducts.insert(key) }
            stored.catalog.products.append(product)
        }
    }
}
