import Billing
import Foundation
import Postgres

extension CatalogProduct {
    /// Of `products p` and its plan, `plans l`.
    static let columns: Query = """
        l.code, p.store, p.store_product_id, p.name, p.names, p.period_count, p.period_unit, p.trial_count, p.trial_unit,
            p.is_recommended, p.is_consumable,
            ARRAY(SELECT currency FROM product_prices r WHERE r.product_id = p.id ORDER BY currency),
            ARRAY(SELECT minor_units FROM product_prices r WHERE r.product_id = p.id ORDER BY currency),
            (SELECT coalesce(jsonb_object_agg(f.code, c.amount), '{}')
             FROM product_credits c
             JOIN features f ON f.id = c.feature_id
             WHERE c.product_id = p.id)
        """
    static let columnCount = 14

    /// By store and the store's identifier.
    static func query(of app: App.ID) -> Query {
        """
        SELECT \(columns)
        FROM products p
        JOIN plans l ON l.id = p.plan_id
        WHERE p.app_id = \(app)
        ORDER BY p.store, p.store_product_id
        """
    }

    /// - Parameter row: the next of it are `columns`.
    init(_ row: inout RowColumns) throws {
        let plan: String = try row.next()
        let store: Store = try row.next()
        let id: String = try row.next()
        let name: String = try row.next()
        let names: LocalizedText = try row.next()
        let period = BillingPeriod(stored: try row.next(Int32?.self), try row.next())
        let trial = BillingPeriod(stored: try row.next(Int32?.self), try row.next())
        let (isRecommended, isConsumable): (Bool, Bool) = (try row.next(), try row.next())
        let (currencies, units): ([String], [Int64]) = (try row.next(), try row.next())
        let credits: JSONText = try row.next()
        self.init(
            plan: plan,
            store: store,
            id: id,
            name: name,
            names: names,
            period: period,
            trial: trial,
            prices: try zip(currencies, units).map { currency, units in
                Money(minorUnits: units, currency: try Currency(stored: currency))
            },
            isRecommended: isRecommended,
            isConsumable: isConsumable,
            credits: try JSONDecoder().decode([String: Int64].self, from: Data(credits.bytes))
        )
    }
}

extension BillingPeriod {
    fileprivate init?(stored count: Int32?, _ unit: String?) {
        guard let count, let unit = unit.flatMap(Unit.init(rawValue:)) else { return nil }
        self.init(Int(count), unit)  // safe: from 32 bits
    }
}
