package import Billing
import Postgres

/// The values by which an app's metrics can be filtered.
package struct MetricsOptions: Hashable, Sendable {
    package var products: [Product]
    /// Sorted; empty text for charges that came without a country.
    package var countries: [String]
    /// Sorted.
    package var currencies: [Currency]

    package init(products: [Product], countries: [String], currencies: [Currency]) {
        self.products = products
        self.countries = countries
        self.currencies = currencies
    }

    package struct Product: Hashable, Sendable {
        package var store: Store
        package var id: String
        package var name: String
        package var plan: String
        /// nil for what is bought once.
        package var period: BillingPeriod?
    }

    /// The plans with a product, by rank.
    package var plans: [String] { unique(products.map(\.plan)) }

    package var stores: [Store] {
        let shipped = Store.allCases.filter { store in products.contains { $0.store == store } }
        return shipped + unique(products.map(\.store)).filter { !Store.allCases.contains($0) }
    }

    package var periods: [BillingPeriod] { unique(products.compactMap(\.period)) }

    private func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}

extension MetricsOptions.Product {
    init(row: Row) throws {
        let (store, id, name, plan, count, unit) = try row.decode(
            Store.self,
            String.self,
            String.self,
            String.self,
            Int32?.self,
            String?.self
        )
        self.init(store: store, id: id, name: name, plan: plan, period: nil)
        if let count, let unit = unit.flatMap(BillingPeriod.Unit.init(rawValue:)) {
            period = BillingPeriod(Int(count), unit)
        }
    }
}
