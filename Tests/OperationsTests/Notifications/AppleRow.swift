import Foundation
import Gateways
import StoreSimulator

/// A row of the table of Apple's notifications (stores/apple.md, 1.3): the history before, the notification, and the outcome.
struct AppleRow: Sendable, CustomStringConvertible {
    let number: Int
    let type: String
    let subtype: String?
    /// The notifications before it.
    var before: [SimulatedMessage] = []
    let message: SimulatedMessage
    /// The subscription: its state, its transaction and its product; nil where the row concerns none.
    let subscription: String?
    /// The transaction, kind and status of each order.
    let orders: [String]
    /// The final state of the notification.
    var state = "processed"
    /// Further expectations: a query that returns one text a row, and its rows.
    var facts: [(query: String, rows: [String])] = []

    var description: String { "\(number) \(type)\(subtype.map { " \($0)" } ?? "")" }
}

/// Makes Apple's JSON by the day: day 0 is a hundred days before the clock of the tests.
enum AppleWords {
    static func date(_ day: Double) -> JSON {
        .integer(Int64(((TestOffice.start.timeIntervalSince1970 - 8_640_000 + day * 86_400) * 1_000).rounded()))
    }

    static func message(
        _ type: String,
        _ subtype: String? = nil,
        on day: Double,
        _ transaction: JSON? = nil,
        _ renewal: JSON? = nil,
        status: Int64? = 1,
        data more: [String: JSON] = [:],
        besides: [String: JSON] = [:],
        appTransaction: JSON? = nil
    ) -> SimulatedMessage {
        var notification: JSON = [
            "notificationType": .string(type), "notificationUUID": .string(UUID().uuidString.lowercased()),
            "version": "2.0", "signedDate": date(day),
        ]
        if let subtype { notification["subtype"] = .string(subtype) }
        if transaction != nil || type == "TEST" {
            var data = app
            if let status, transaction != nil { data["status"] = .integer(status) }
            for (name, value) in more { data[name] = value }
            notification["data"] = data
        }
        for (name, value) in besides { notification[name] = value }
        var (transaction, renewal) = (transaction, renewal)
        transaction?["signedDate"] = date(day)
        renewal?["signedDate"] = date(day)
        return SimulatedMessage(
            notification: notification,
            transaction: transaction,
            renewal: renewal,
            appTransaction: appTransaction
        )
    }

    static var app: JSON {
        [
            "appAppleId": 1_600_000_001, "bundleId": "com.readmigo.app", "bundleVersion": "1",
            "environment": "Production",
        ]
    }

    static func sold(
        _ id: String,
        from start: Double,
        to end: Double?,
        _ product: String = "pro.monthly",
        for price: Int64 = 18_000,
        _ more: [String: JSON] = [:]
    ) -> JSON {
        var transaction: JSON = [
            "transactionId": .string(id), "originalTransactionId": "t1", "bundleId": "com.readmigo.app",
            "productId": .string("com.readmigo.\(product)"), "purchaseDate": date(start),
            "originalPurchaseDate": date(0),
            "quantity": 1, "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
            "environment": "Production", "transactionReason": id == "t1" ? "PURCHASE" : "RENEWAL", "storefront": "CHN",
            "storefrontId": "143465", "price": .integer(price), "currency": "CNY",
            "subscriptionGroupIdentifier": "20000001",
        ]
        if let end { transaction["expiresDate"] = date(end) }
        for (name, value) in more { transaction[name] = value }
        return transaction
    }

    static func renews(
        _ isOn: Bool = true,
        to product: String = "pro.monthly",
        _ more: [String: JSON] = [:]
    ) -> JSON {
        var renewal: JSON = [
            "originalTransactionId": "t1", "productId": "com.readmigo.pro.monthly",
            "autoRenewProductId": .string("com.readmigo.\(product)"), "autoRenewStatus": isOn ? 1 : 0,
            "environment": "Production", "renewalPrice": 18_000, "currency": "CNY",
        ]
        for (name, value) in more { renewal[name] = value }
        return renewal
    }

    /// A month bought on day 0, for thirty days.
    static let month = sold("t1", from: 0, to: 30)
    static let bought = message("SUBSCRIBED", "INITIAL_BUY", on: 0, month, renews())
    static let first = "t1 initial_purchase completed"

    static func refunded(on day: Double, type: String = "REFUND_FULL", percent: Int64 = 100_000) -> JSON {
        sold(
            "t1",
            from: 0,
            to: 30,
            [
                "revocationDate": date(day), "revocationReason": 0, "revocationType": .string(type),
                "revocationPercentage": .integer(percent),
            ]
        )
    }

    private static func sold(_ id: String, from start: Double, to end: Double, _ more: [String: JSON]) -> JSON {
        sold(id, from: start, to: end, "pro.monthly", for: 18_000, more)
    }
}
