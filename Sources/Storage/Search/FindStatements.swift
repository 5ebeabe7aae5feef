import Billing
import Foundation
import Postgres

/// The statements that look for a text in one app, each for the newest few.
struct FindStatements {
    let text: String
    let app: App.ID
    let seesPersonalData: Bool

    var all: [(name: String, query: Query)] {
        [
            ("customers", customers), ("orders", orders), ("refunds", refunds), ("subscriptions", subscriptions),
            ("notifications", notifications),
        ]
    }

    var customers: Query {
        let person: Query = seesPersonalData ? "c.name, c.email" : "NULL::text, NULL::text"
        let condition = CustomerSearch(text, seesPersonalData: seesPersonalData).condition
        let order: Query = "c.created_at DESC, c.id DESC"
        return """
            SELECT c.id, c.key, c.external_id, \(person), c.created_at
            FROM (\(few("SELECT * FROM customers c WHERE c.app_id = \(app) AND c.merged_into IS NULL AND \(condition)", as: "c", by: order))) AS c
            ORDER BY \(order)
            """
    }

    var orders: Query {
        let person: Query = seesPersonalData ? "c.name, c.email" : "NULL::text, NULL::text"
        let condition = OrderSearch(text: text, app: app, seesPersonalData: seesPersonalData).condition
        let order: Query = "o.purchased_at DESC, o.id DESC"
        return """
            SELECT o.id, o.number, o.status, o.store, o.environment, o.product_name, o.plan_code, o.amount,
                o.currency, o.worth, o.purchased_at, o.customer_id, c.key, \(person)
            FROM (\(few("SELECT * FROM orders o WHERE o.app_id = \(app)\(condition)", as: "o", by: order))) AS o
            JOIN customers c ON c.id = o.customer_id
            ORDER BY \(order)
            """
    }

    /// Refund requests are found by their whole number alone.
    var refunds: Query {
        """
        \(ListedRefund.selection(seesPersonalData: seesPersonalData))
        WHERE r.app_id = \(app) AND r.number = upper(\(text))
        """
    }

    var subscriptions: Query {
        let condition = SubscriptionSearch(text, app: app, seesPersonalData: seesPersonalData).condition
        let order: Query = "\(Queries.start) DESC, s.id DESC"
        return """
            \(Queries.columns(seesPersonalData: seesPersonalData))
            FROM (\(few("SELECT * FROM subscriptions s WHERE s.app_id = \(app) AND \(condition)", as: "s", by: order))) AS s
            \(Queries.joins)
            ORDER BY \(order)
            """
    }

    /// Notifications are found by their whole id alone.
    var notifications: Query {
        let uuid = UUID(uuidString: text)
        let name = uuid?.uuidString.lowercased() ?? text
        return """
            SELECT id, type, subtype, state, received_at
            FROM store_notifications
            WHERE app_id = \(app) AND (id = \(uuid) OR store IN ('apple', 'google', 'wechat', 'alipay')
                AND notification_uuid = \(name))
            LIMIT \(unsafe: String(Self.fetched))
            """
    }

    private func few(_ rows: Query, as alias: Query, by order: Query) -> Query {
        FirstRows.query(rows, as: alias, by: order, limit: Self.fetched, isSearch: true)
    }

    /// One more than is shown tells whether there are more.
    private static let fetched = SearchResults.shown + 1
}
