import Billing
import Foundation
import Postgres

/// The objects that a text names exactly, in some apps: by order number, refund number, any store's transaction id, a customer's ids
/// or e-mail address, a subscription's or notification's id. Every part is one index probe.
struct ExactMatches {
    let text: SearchText
    let apps: [App.ID]
    let seesPersonalData: Bool

    /// `app`, `kind` and `id`, each thing once.
    var all: Query {
        var parts = [
            orderNumbers, refundNumbers, transactions, customerKeys, externalIDs, subscriptions, storeNotifications,
        ]
        if let key = text.uuid { parts += [customer(key), subscription(key), notification(key)] }
        if seesPersonalData, text.text.contains("@") { parts.append(addresses) }
        let union = parts.dropFirst().reduce("(\(parts[0]))") { union, part in "\(union) UNION (\(part))" as Query }
        return "SELECT app_id, kind, id FROM (\(union)) AS matches LIMIT 50"
    }

    private var of: Query { "ANY (\(apps.map(\.uuid)))" }

    private var orderNumbers: Query {
        "SELECT app_id, 'order' AS kind, number AS id FROM orders WHERE app_id = \(of) AND number = upper(\(text.text))"
    }

    private var refundNumbers: Query {
        "SELECT app_id, 'refund', number FROM refund_requests WHERE app_id = \(of) AND number = upper(\(text.text))"
    }

    private var transactions: Query {
        """
        SELECT app_id, 'order', number FROM orders
        WHERE app_id = \(of) AND store IN ('apple', 'google', 'wechat', 'alipay')
            AND environment IN ('production', 'sandbox') AND transaction_id = \(text.text) AND joined_into IS NULL
        UNION ALL
        SELECT a.app_id, 'order', o.number FROM order_aliases a JOIN orders o ON o.id = a.order_id
        WHERE a.app_id = \(of) AND a.store IN ('apple', 'google', 'wechat', 'alipay')
            AND a.environment IN ('production', 'sandbox') AND a.transaction_id = \(text.text)
        """
    }

    private var customerKeys: Query {
        let key = text.uuid?.uuidString.lowercased() ?? text.text
        return
            "SELECT app_id, 'customer', coalesce(merged_into, id)::text FROM customers WHERE app_id = \(of) AND key = \(key)"
    }

    private var externalIDs: Query {
        "SELECT app_id, 'customer', coalesce(merged_into, id)::text FROM customers WHERE app_id = \(of) AND external_id = \(text.text)"
    }

    private var addresses: Query {
        """
        SELECT app_id, 'customer', coalesce(merged_into, id)::text FROM customers
        WHERE app_id = \(of) AND email IS NOT NULL AND \(SearchText.isSameAddress("email", "\(text.text)"))
        LIMIT 20
        """
    }

    /// An original transaction id is also that of the first order; who types it may mean either.
    private var subscriptions: Query {
        """
        SELECT app_id, 'subscription', id::text FROM subscriptions
        WHERE app_id = \(of) AND store IN ('apple', 'google', 'wechat', 'alipay')
            AND environment IN ('production', 'sandbox') AND original_transaction_id = \(text.text)
        UNION ALL
        SELECT app_id, 'subscription', subscription_id::text FROM subscription_aliases
        WHERE app_id = \(of) AND store IN ('apple', 'google', 'wechat', 'alipay')
            AND environment IN ('production', 'sandbox') AND original_transaction_id = \(text.text)
        """
    }

    private var storeNotifications: Query {
        let uuid = text.uuid?.uuidString.lowercased() ?? text.text
        return """
            SELECT app_id, 'notification', id::text FROM store_notifications
            WHERE store IN ('apple', 'google', 'wechat', 'alipay') AND notification_uuid = \(uuid) AND app_id = \(of)
            """
    }

    private func customer(_ key: UUID) -> Query {
        "SELECT app_id, 'customer', coalesce(merged_into, id)::text FROM customers WHERE id = \(key) AND app_id = \(of)"
    }

    private func subscription(_ key: UUID) -> Query {
        "SELECT app_id, 'subscription', id::text FROM subscriptions WHERE id = \(key) AND app_id = \(of)"
    }

    private func notification(_ key: UUID) -> Query {
        "SELECT app_id, 'notification', id::text FROM store_notifications WHERE id = \(key) AND app_id = \(of)"
    }
}
