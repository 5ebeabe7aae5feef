package import Billing
import Foundation
import Gateways
import Storage

/// The changes of an applied catalogue, in words; empty if there were none.
package struct CatalogReport: Sendable {
    package var changes: [String] = []
}

extension BackOffice {
    /// Makes the stored catalogue equal to the given one. Doing it twice changes nothing the second time.
    ///
    /// - Parameter caller: named by the audit log, with the values before and after; nil for a program whose own entry tells of it.
    /// - Throws: `OperationsError` with `.conflict` for what would break rows that exist, or `.invalid` for anchors that are
    ///   no certificates; then nothing has changed.
    package func applyCatalog(_ catalog: Catalog, caller: Caller? = nil) async throws -> CatalogReport {
        let report = try await database.write { try await apply(catalog, caller: caller, in: $0) }
        // The new accounts and origins apply here at once.
        apps.forget()
        return report
    }

    func apply(
        _ catalog: Catalog,
        caller: Caller? = nil,
        in transaction: WriteTransaction
    ) async throws -> CatalogReport {
        let accounts = catalog.accounts.values.sorted { $0.store.rawValue < $1.store.rawValue }
        for account in accounts { try check(account) }
        let stored = try await transaction.catalogs.lock(catalog.app, claiming: catalog.claims)
        if let stored { try CatalogConflict.check(catalog, against: stored) }
        for account in accounts {
            if let other = try await transaction.catalogs.app(holding: account, otherThan: catalog.app) {
                throw CatalogConflict.account(account, belongsTo: other)
            }
            try await requireOwn(account.signInClientIDs, of: stored?.app, in: transaction)
        }
        try await requireOwnIssuer(catalog, in: transaction)
        let id = stored?.app ?? Identifier(transaction.newUUID())
        var report = CatalogReport()
        try await saveApp(catalog, stored, as: id, in: transaction, &report)
        try await saveAccounts(catalog, stored, of: id, in: transaction, &report)
        try await saveIssuer(catalog, stored, of: id, in: transaction, &report)
        try await saveRateLimits(catalog, stored, of: id, in: transaction, &report)
        try await saveFees(catalog, stored, of: id, in: transaction, &report)
        try await saveConsumption(catalog, stored, of: id, in: transaction, &report)
        try await savePaywall(catalog, stored, of: id, in: transaction, &report)
        let features = try await saveFeatures(catalog, stored, of: id, in: transaction, &report)
        let plans = try await savePlans(catalog, stored, of: id, in: transaction, &report)
        try await saveTrial(catalog, stored, plans, of: id, in: transaction, &report)
        try await savePlanFeatures(catalog, stored, plans, features, in: transaction, &report)
        try await saveProducts(catalog, stored, plans, of: id, in: transaction, &report)
        try await removeFeatures(catalog, stored, in: transaction, &report)
        if !report.changes.isEmpty {
            try await transaction.catalogs.raiseVersion(of: id)
            try await transaction.notifications.reviveWhatLacked(catalog.products.map(\.id), of: id)
            if let caller {
                let old = stored.map { opened($0, of: id) }
                let record = CatalogRecord(from: old, to: catalog, changes: report.changes)
                try await transaction.audit.append(
                    caller.entry(
                        .applyCatalog,
                        on: "catalog",
                        catalog.app,
                        app: id,
                        before: record.before,
                        after: record.after
                    )
                )
            }
        }
        return report
    }

    /// The stored catalogue with its secrets, as the file had it.
    private func opened(_ stored: StoredCatalog, of app: App.ID) -> Catalog {
        var catalog = stored.catalog
        for (store, account) in catalog.accounts {
            catalog.accounts[store] = accountSecrets.opened(account, stored.sealedSecrets[store], of: app)
        }
        catalog.tokenIssuer = catalog.tokenIssuer.map {
            accountSecrets.opened($0, stored.sealedIssuerSecret, of: app)
        }
        return catalog
    }

    /// Apple's account notifications name a client id, which has to lead to one app.
    func requireOwn(_ clientIDs: [String], of app: App.ID?, in transaction: WriteTransaction) async throws {
        guard !clientIDs.isEmpty,
            let other = try await transaction.catalogs.app(signingInAs: clientIDs, otherThan: app)
        else { return }
        throw OperationsError(
            .conflict,
            "apple.id.clientIds: the app \(other) signs people in under one of them already.",
            field: "apple.id.clientIds"
        )
    }

    /// Rejects here an account that the intake cannot work with, so that the next notification does not run into it.
    private func check(_ account: StoreAccount) throws {
        guard let gateway = gateways[account.store] else {
            throw OperationsError(
                .invalid,
                "\(account.path("identifier")) cannot be used: nothing is taken in from \(account.store.rawValue) yet.",
                field: account.path("identifier")
            )
        }
        do {
            try gateway.check(account)
        } catch {
            let field = account.path(error.field ?? "identifier")
            throw OperationsError(
                .invalid,
                "\(field) cannot be used: \(error.message)",
                field: field,
                underlying: error
            )
        }
    }

    private func saveApp(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        as id: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        guard let stored else {
            try await transaction.catalogs.save(app: catalog, as: id)
            report.changes.append("added app \(catalog.app)")
            return
        }
        var old = stored.catalog
        (old.features, old.plans, old.products) = (catalog.features, catalog.plans, catalog.products)
        (old.accounts, old.fees, old.consumption) = (catalog.accounts, catalog.fees, catalog.consumption)
        old.paywall = catalog.paywall
        (old.tokenIssuer, old.trial, old.rateLimits) = (catalog.tokenIssuer, catalog.trial, catalog.rateLimits)
        guard old != catalog else { return }
        try await transaction.catalogs.save(app: catalog, as: id)
        report.changes.append("changed app \(catalog.app)")
    }

    /// An account that the file no longer has is given up; the store was never heard then.
    private func saveAccounts(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        for (store, account) in catalog.accounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let old = stored?.catalog.accounts[store].map {
                accountSecrets.opened($0, stored?.sealedSecrets[store], of: app)
            }
            guard old?.sortedAnchors != account.sortedAnchors else { continue }
            let sealed = try accountSecrets.sealed(account, of: app)
            try await transaction.catalogs.save(account: account, sealedSecrets: sealed, of: app)
            report.changes.append("\(old == nil ? "added" : "changed") account at \(store.rawValue)")
            try await removeKeys(replacedBy: account, old, of: app, in: transaction, &report)
        }
        for store in stored?.catalog.accounts.keys.sorted(by: { $0.rawValue < $1.rawValue }) ?? []
        where catalog.accounts[store] == nil {
            try await transaction.catalogs.removeAccount(at: store, of: app)
            report.changes.append("removed account at \(store.rawValue)")
        }
    }

    /// Of the keys that staff uploaded those go that the file names now, and all of an account that is another one.
    private func removeKeys(
        replacedBy account: StoreAccount,
        _ old: StoreAccount?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        let isSame = old?.identifier == account.identifier && old?.isSimulated == account.isSimulated
        for shape in gateways[account.store]?.keys ?? [] where !isSame || shape.isNamed(by: account) {
            guard try await transaction.storeKeys.remove(shape.kind, of: app, at: account.store) else { continue }
            report.changes.append("removed the uploaded key \(shape.kind.rawValue) at \(account.store.rawValue)")
        }
    }

    /// Cases that are open follow the rules of the moment in which they are answered.
    private func saveConsumption(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        guard catalog.consumption != stored?.catalog.consumption ?? ConsumptionPolicy() else { return }
        try await transaction.catalogs.save(consumption: catalog.consumption, of: app)
        report.changes.append("changed answers to stores that ask about refunds")
    }

    private func savePaywall(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        guard catalog.paywall != stored?.catalog.paywall ?? PaywallCopy() else { return }
        try await transaction.catalogs.save(paywall: catalog.paywall, of: app)
        report.changes.append("changed the paywall")
    }

    /// A share that the file no longer has is the store's usual one again.
    private func saveFees(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        for store in Set(catalog.fees.keys).union(stored?.catalog.fees.keys.map(\.self) ?? []).sorted(by: {
            $0.rawValue < $1.rawValue
        }) {
            let (old, new) = (stored?.catalog.fees[store], catalog.fees[store])
            guard old != new else { continue }
            try await transaction.catalogs.save(fee: new, at: store, of: app)
            report.changes.append(
                "changed fees of \(store.rawValue) from \(feeText(old, at: store)) to \(feeText(new, at: store))"
            )
        }
    }

    private func savePlans(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws -> [String: Identifier<Plan>] {
        let old = Dictionary((stored?.catalog.plans ?? []).map { ($0.plan.code, $0) }) { first, _ in first }
        var ids = stored?.plans ?? [:]
        let changed = catalog.plans.filter { old[$0.plan.code]?.withoutFeatures != $0.withoutFeatures }
        if !changed.isEmpty, stored != nil { try await transaction.catalogs.makeRoomForRanks(of: app) }
        for plan in changed.isEmpty ? [] : catalog.plans {
            let id = ids[plan.plan.code] ?? Identifier(transaction.newUUID())
            ids[plan.plan.code] = id
            try await transaction.catalogs.save(plan: plan, as: id, of: app)
        }
        report.changes += changed.map { "\(old[$0.plan.code] == nil ? "added" : "changed") plan \($0.plan.code)" }
        return ids
    }

    private func saveProducts(
        _ catalog: Catalog,
        _ stored: StoredCatalog?,
        _ plans: [String: Identifier<Plan>],
        of app: App.ID,
        in transaction: WriteTransaction,
        _ report: inout CatalogReport
    ) async throws {
        let old = Dictionary((stored?.catalog.products ?? []).map { (StoredCatalog.ProductKey($0), $0) }) { first, _ in
            first
        }
        let recommended = Set(catalog.products.filter(\.isRecommended).map(StoredCatalog.ProductKey.init))
        for (key, product) in old where product.isRecommended && !recommended.contains(key) {
            guard let id = stored?.products[key] else { continue }
            try await transaction.catalogs.endRecommendation(of: id)
        }
        for product in catalog.products {
            let key = StoredCatalog.ProductKey(product)
            guard old[key]?.sortedPrices != product.sortedPrices, let plan = plans[product.plan] else { continue }
            let id = stored?.products[key] ?? Identifier(transaction.newUUID())
            try await transaction.catalogs.save(product: product, as: id, plan: plan, of: app)
            report.changes.append("\(old[key] == nil ? "added" : "changed") product \(product.id)")
        }
        let kept = Set(catalog.products.map(StoredCatalog.ProductKey.init))
        for (key, id) in stored?.products ?? [:] where !kept.contains(key) {
            try await transaction.catalogs.remove(product: id)
            report.changes.append("removed product \(key.id), which nobody had bought")
        }
        let keptPlans = Set(catalog.plans.map(\.plan.code))
        for (code, id) in stored?.plans ?? [:] where !keptPlans.contains(code) {
            try await transaction.catalogs.remove(plan: id)
            report.changes.append("removed plan \(code)")
        }
    }
}

/// "30 %, after a year 15 %, on iOS only; CHN since 2026-03-15 25 %, after a year 12 %"
func feeText(_ fee: StoreFee?, at store: Store) -> String {
    let usual = (fee?.share ?? .standard(at: store)).text + (fee?.isOnIOSOnly == true ? ", on iOS only" : "")
    let own = (fee?.storefronts ?? []).map { terms in
        let since = terms.since.map { " since \(BusinessDay($0, in: .gmt))" } ?? ""
        return "\(terms.storefronts.joined(separator: " "))\(since) \(terms.share.text)"
    }
    return ([usual] + own).joined(separator: "; ")
}

extension StoreFee.Share {
    /// "30 %, after a year 15 %"
    fileprivate var text: String {
        func percent(_ basisPoints: Int) -> String {
            let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
            let decimals =
                rest == 0 ? "" : rest.isMultiple(of: 10) ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
            return "\(whole)\(decimals) %"
        }
        return firstYear == later ? percent(firstYear) : "\(percent(firstYear)), after a year \(percent(later))"
    }
}

extension StoreAccount {
    fileprivate var sortedAnchors: StoreAccount {
        var copy = self
        copy.anchors.sort { $0.lexicographicallyPrecedes($1) }
        return copy
    }

    /// The path of a field in a catalogue: Apple's, the oldest, in a section of its own.
    func path(_ field: String) -> String {
        guard store == .apple else { return "stores.\(store.rawValue).\(field)" }
        return "apple.\(field == "identifier" ? "bundleId" : field)"
    }
}

extension CatalogPlan {
    fileprivate var withoutFeatures: CatalogPlan {
        var copy = self
        copy.features = [:]
        return copy
    }
}

extension CatalogProduct {
    fileprivate var sortedPrices: CatalogProduct {
        var copy = self
        copy.prices.sort { $0.currency.code < $1.currency.code }
        return copy
    }
}

extension Catalog {
    /// Locks the names that may lead to one app alone: of two catalogues that are applied at once the second sees who has them.
    fileprivate var claims: Set<String> {
        var claims: Set<String> = []
        for account in accounts.values {
            claims.insert("account \(account.store.rawValue) \(account.identifier)")
            claims.formUnion(account.signInClientIDs.map { "client \($0)" })
        }
        if let tokenIssuer { claims.insert("tokens \(tokenIssuer.audience)") }
        return claims
    }
}
