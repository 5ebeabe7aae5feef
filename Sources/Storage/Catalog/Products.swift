package import Billing
import Foundation
import Postgres

/// A product as an app's catalogue has it.
package struct ProductRecord: Sendable {
    package typealias ID = Identifier<ProductRecord>

    package var id: ID
    package var app: App.ID
    package var store: Store
    package var storeProductID: String
    package var name: String
    package var plan: Plan
    /// The period that one charge pays for; nil for a product that never expires.
    package var period: BillingPeriod?
    /// True of what is used up and gives no access.
    package var isConsumable = false
}

extension Reader {
    package var products: ProductReads { ProductReads(reader: self) }
}

package struct ProductReads: Sendable {
    let reader: Reader

    package func all() async throws -> [ProductRecord] {
        try await reader.query(
            """
            SELECT p.id, p.app_id, p.store, p.store_product_id, p.name, l.code, l.rank, p.period_count, p.period_unit,
                p.is_consumable
            FROM products p
            JOIN plans l ON l.id = p.plan_id
            ORDER BY p.app_id, p.store, p.store_product_id
            """
        ).map { row in
            let (id, app, store, storeProductID, name, plan, rank, count, unit, isConsumable) = try row.decode(
                ProductRecord.ID.self,
                App.ID.self,
                Store.self,
                String.self,
                String.self,
                String.self,
                Int32.self,
                Int32?.self,
                String?.self,
                Bool.self
            )
            return ProductRecord(
                id: id,
                app: app,
                store: store,
                storeProductID: storeProductID,
                name: name,
                plan: Plan(code: plan, rank: Int(rank)),
                period: count.flatMap { count in
                    unit.flatMap(BillingPeriod.Unit.init(rawValue:)).map { BillingPeriod(Int(count), $0) }
                },
                isConsumable: isConsumable
            )
        }
    }
}
