package import Billing
import Postgres

/// A plan, and what it can be bought as.
package struct PlanOffer: Sendable, Hashable {
    package var plan: Plan
    package var name: String
    package var offers: [Offer]
}

/// A product with its list prices.
package struct Offer: Sendable, Hashable {
    package var store: Store
    package var storeProductID: String
    package var name: String
    /// What one of it is paid for; nil for what has no end.
    package var period: BillingPeriod?
    /// One a currency, by its code; none where the catalogue has none.
    package var prices: [Money]
}

extension Queries {
    /// What an app sells: its plans by rank, the products of each by their length.
    package func offers(of app: App.ID) async throws -> [PlanOffer] {
        try await reader.query(
            """
            SELECT l.code, l.name, l.rank, p.store, p.store_product_id, p.name, p.period_count, p.period_unit,
                ARRAY(SELECT currency FROM product_prices r WHERE r.product_id = p.id ORDER BY currency),
                ARRAY(SELECT minor_units FROM product_prices r WHERE r.product_id = p.id ORDER BY currency)
            FROM plans l
            LEFT JOIN products p ON p.plan_id = l.id
            WHERE l.app_id = \(app)
            ORDER BY l.rank,
                p.period_count * CASE p.period_unit WHEN 'day' THEN 1 WHEN 'week' THEN 7 WHEN 'month' THEN 30 ELSE 365 END
                    NULLS LAST,
                p.store, p.store_product_id
            """
        ).reduce(into: []) { plans, row in
            let (code, planName, rank, store, id, name, count, unit, currencies, units) = try row.decode(
                String.self,
                String.self,
                Int32.self,
                Store?.self,
                String?.self,
                String?.self,
                Int32?.self,
                String?.self,
                [String].self,
                [Int64].self
            )
            let plan = Plan(code: code, rank: Int(rank))
            if plans.last?.plan != plan { plans.append(PlanOffer(plan: plan, name: planName, offers: [])) }
            guard let store, let id, let name else { return }
            let offer = Offer(
                store: store,
                storeProductID: id,
                name: name,
                period: BillingPeriod(stored: count, unit),
                prices: try zip(currencies, units).map { currency, units in
                    Money(minorUnits: units, currency: try Currency(stored: currency))
                }
            )
            plans[plans.count - 1].offers.append(offer)  // safe: it has one by now
        }
    }
}
