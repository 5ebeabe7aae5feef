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
            ("customers", customers), ("orders", orders), ("subscriptions", subscriptions),
            ("notifications", notifications),
        ]
    }

    var customers: Query {
        let person: Query = seesPersonalData ? "c.name, c.email" : "NULL::text, NULL::text"
        return """
            SELECT c.id, c.key, c.external_id, \(person), c.created_at
            FROM customers c
            WHERE c.app_id = \(app) AND \(CustomerSearch(text, seesPersonalData: seesPersonalData).condition)
            ORDER BY c.created_at DESC, c.id DESC
            LIMIT \(fetched)
            """
    }

    var orders: Query {
        let person: Query = seesPersonalData ? "c.name, c.email" : "NULL::text, NULL::text"
        let condition = OrderSearch(text: text, app: app, seesPersonalData: seesPersonalData).condition
        return """
            SELECT o.id, o.number, o.status, o.store, o.environment, o.product_name, o.plan_code, o.amount,
                o.currency, o.purchased_at, o.customer_id, c.key, \(person)
            FROM (
                SELECT *
                FROM orders o
                WHERE o.app_id = \(app)\(condition)
                ORDER BY o.purchased_at DESC, o.id DESC
                LIMIT \(fetched)
            ) AS o
            JOIN customers c ON c.id = o.customer_id
            ORDER BY o.purchased_at DESC, o.id DESC
            """
    }

    var subscriptions: Query {
        let condition = SubscriptionSearch(text, app: app, seesPersonalData: seesPersonalData).condition
        return """
            \(Screens.columns(seesPersonalData: seesPersonalData))
            FROM (
                SELECT *
                FROM subscriptions s
                WHERE s.app_id = \(app) AND \(condition)
                ORDER BY \(Screens.start) DESC, s.id DESC
                LIMIT \(fetched)
            ) AS s
            \(Screens.joins)
            ORDER BY \(Screens.start) DESC, s.id DESC
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
            LIMIT \(fetched)
            """
    }

    /// One more than is shown tells whether there are more.
    private var fetched: Query { Query(unsafe: String(Findings.shown + 1)) }
}
