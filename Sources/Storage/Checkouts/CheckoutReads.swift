package import Billing
package import Foundation
import Postgres

/// A period that an app sells at a store, with all that opening an order takes.
package struct CheckoutOffer: Sendable, Hashable {
    package var product: ProductRecord.ID
    /// The store's identifier.
    package var productID: String
    /// As the customer reads it.
    package var name: String
    package var plan: Plan
    /// nil for what is sold once.
    package var period: BillingPeriod?
    /// nil where it has no price in the currency.
    package var price: Money?
    /// Seconds in which an order of it can be paid.
    package var lifetime: TimeInterval
}

extension Reader {
    /// A product of an app at a store.
    ///
    /// - Parameters:
    ///   - currency: that of the price.
    ///   - language: that of the name.
    /// - Returns: nil for one that the app does not sell there.
    package func checkoutOffer(
        _ productID: String,
        at store: Store,
        of app: App.ID,
        in currency: Currency,
        language: String
    ) async throws -> CheckoutOffer? {
        try await query(
            """
            SELECT p.id, p.store_product_id, coalesce(p.names ->> \(language), p.name), l.code, l.rank, p.period_count, p.period_unit,
                (SELECT minor_units FROM product_prices r WHERE r.product_id = p.id AND r.currency = \(currency.code)), a.checkout_minutes
            FROM products p
            JOIN apps a ON a.id = p.app_id
            JOIN plans l ON l.id = p.plan_id
            WHERE p.app_id = \(app) AND p.store = \(store) AND p.store_product_id = \(productID)
            """
        ).first.map { row in
            var columns = try row.columns(9)
            return CheckoutOffer(
                product: try columns.next(),
                productID: try columns.next(),
                name: try columns.next(),
                plan: Plan(code: try columns.next(), rank: try columns.next()),
                period: try BillingPeriod(stored: columns.next(), columns.next()),
                price: try (columns.next() as Int64?).map { Money(minorUnits: $0, currency: currency) },
                lifetime: TimeInterval(try columns.next() as Int32) * 60
            )
        }
    }

    /// An order by its number, and what a client needs to pay it, as JSON; nil where the app has none.
    ///
    /// - Parameter customer: whose it has to be; nil for any.
    package func checkout(
        _ number: String,
        of app: App.ID,
        customer: Customer.ID? = nil
    ) async throws -> (checkout: Checkout, invocation: String?)? {
        let own: Query = if let customer { " AND coalesce(c.merged_into, c.id) = \(customer)" } else { "" }
        return try await checkout(where: "k.app_id = \(app) AND k.number = \(number)\(own)")
    }

    /// nil where the app has none of this id.
    package func checkout(_ id: Checkout.ID, of app: App.ID) async throws -> Checkout? {
        try await checkout(where: "k.app_id = \(app) AND k.id = \(id)")?.checkout
    }

    /// An order by the number that nobody guesses, of whatever app; nil where there is none.
    package func checkout(toPay number: String) async throws -> (checkout: Checkout, invocation: String?)? {
        try await checkout(where: "k.app_id IN (SELECT id FROM apps) AND k.number = \(number)")
    }

    private func checkout(where condition: Query) async throws -> (checkout: Checkout, invocation: String?)? {
        guard let row = try await query("\(Checkout.selection) WHERE \(condition)").first else { return nil }
        let checkout = try Checkout(row: row)
        let invocation = try await query("SELECT invocation::text FROM checkouts WHERE id = \(checkout.id)")
            .first?.decode(0, as: String?.self)
        return (checkout, invocation ?? nil)
    }
}

extension BillingPeriod {
    /// nil where there is none.
    init?(stored count: Int?, _ unit: String?) {
        guard let count, let unit = unit.flatMap(Unit.init(rawValue:)) else { return nil }
        self.init(count, unit)
    }
}
