import Billing
import Storage

/// The parts of a catalogue that must not change once rows depend on them.
enum CatalogConflict {
    /// - Throws: `OperationsError` with `.conflict`, the field's path and the alternative.
    static func check(_ catalog: Catalog, against stored: StoredCatalog) throws(OperationsError) {
        let old = stored.catalog
        if stored.hasCustomers, old.timeZone != catalog.timeZone {
            throw conflict("timeZone", "customers are here, whose days are counted by \(old.timeZone) already")
        }
        for store in stored.storesWithNotifications.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let account = old.accounts[store] else { continue }
            guard catalog.accounts[store]?.identifier == account.identifier else {
                throw conflict(
                    account.path("identifier"),
                    "notifications of \(account.identifier) are here already"
                )
            }
            guard catalog.accounts[store]?.isSimulated == account.isSimulated else {
                throw conflict(
                    account.path("environment"),
                    "notifications of the \(account.isSimulated ? "simulator" : "store") are here already; the other kind "
                        + "belongs into an app of its own"
                )
            }
        }
        for (index, product) in catalog.products.enumerated() {
            try check(product, "products[\(index)]", against: stored)
        }
        let kept = Set(catalog.products.map(StoredCatalog.ProductKey.init))
        for used in stored.usedProducts.subtracting(kept).sorted(by: { $0.id < $1.id }) {
            throw conflict("products", "\(used.id) was bought already and has to stay")
        }
        for opened in stored.orderedProducts.subtracting(kept).sorted(by: { $0.id < $1.id }) {
            throw conflict(
                "products",
                "an order of \(opened.id) was opened already, paid or not, and it has to stay; without a price it is not on sale"
            )
        }
        for used in stored.usedPlans.subtracting(catalog.plans.map(\.plan.code)).sorted() {
            throw conflict("plans", "\(used) was given to customers, or is what a promo code gives, and has to stay")
        }
    }

    static func account(_ account: StoreAccount, belongsTo app: String) -> OperationsError {
        OperationsError(
            .conflict,
            "\(account.path("identifier")) is taken: the app \(app) sells under \(account.identifier) already.",
            field: account.path("identifier")
        )
    }

    static func used(feature code: String) -> OperationsError {
        conflict("features", "\(code) was used by customers already and has to stay; leave it out of the plans instead")
    }

    private static func check(
        _ product: CatalogProduct,
        _ path: String,
        against stored: StoredCatalog
    ) throws(OperationsError) {
        let key = StoredCatalog.ProductKey(product)
        let old = stored.catalog.products.first { StoredCatalog.ProductKey($0) == key }
        // An order brings what its product brought when it was opened.
        let isSold = stored.usedProducts.contains(key) || stored.orderedProducts.contains(key)
        if let old, isSold, old.credits != product.credits {
            throw conflict("\(path).credits", "\(product.id) was sold already; sell another product instead")
        }
        guard stored.usedProducts.contains(key), let old else { return }
        if old.plan != product.plan {
            throw conflict(
                "\(path).plan",
                "\(product.id) was sold as \(old.plan) already; sell another product instead"
            )
        }
        if old.period != product.period {
            throw conflict("\(path).period", "\(product.id) was sold already; sell another product instead")
        }
    }

    private static func conflict(_ field: String, _ reason: String) -> OperationsError {
        OperationsError(.conflict, "\(field) cannot change: \(reason).", field: field)
    }
}
