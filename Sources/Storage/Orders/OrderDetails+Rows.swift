import Billing
import Foundation
import Postgres

extension OrderDetails.EntryStatus: PostgresDecodable {}
extension NotificationState: PostgresEncodable, PostgresDecodable {}

extension OrderDetails.Order {
    init(head: Row) throws {
        id = try head.decode(0)
        number = try head.decode(1)
        kind = try head.decode(2)
        status = try head.decode(3)
        store = try head.decode(4)
        environment = try head.decode(5)
        transactionID = try head.decode(6)
        originalTransactionID = try head.decode(7)
        productName = try head.decode(8)
        storeProductID = try head.decode(9)
        planCode = try head.decode(10)
        amount = try head.decode(11)
        refunded = try head.decode(12)
        currency = try head.decode(13)
        storefront = try head.decode(14)
        purchasedAt = try head.decode(15)
        periodStartsAt = try head.decode(16)
        periodEndsAt = try head.decode(17)
    }
}

extension OrderDetails.Customer {
    init(head: Row) throws {
        id = try head.decode(19)
        key = try head.decode(20)
        externalID = try head.decode(21)
        name = try head.decode(22)
        email = try head.decode(23)
    }
}

extension OrderDetails.SubscriptionOrder {
    init(_ order: OrderDetails.Order) {
        self.init(
            number: order.number,
            kind: order.kind,
            status: order.status,
            amount: order.amount,
            currency: order.currency,
            purchasedAt: order.purchasedAt,
            periodStartsAt: order.periodStartsAt,
            periodEndsAt: order.periodEndsAt
        )
    }
}

extension OrderDetails.CustomerSubscription {
    init(row: Row) throws {
        var subscription = Subscription()
        subscription.state = try row.decode(1)
        subscription.startedAt = try row.decode(2)
        subscription.periodStartsAt = try row.decode(3)
        subscription.periodEndsAt = try row.decode(4)
        subscription.gracePeriodEndsAt = try row.decode(5)
        subscription.renewsAutomatically = try row.decode(6)
        if let price = try row.decode(7, as: Int64?.self), let currency = try row.decode(8, as: Currency?.self) {
            subscription.renewalPrice = Money(minorUnits: price, currency: currency)
        }
        subscription.cancelledAt = try row.decode(9)
        subscription.endedAt = try row.decode(10)
        subscription.productID = try row.decode(13)
        subscription.nextProductID = try row.decode(14)
        self.init(
            id: try row.decode(0),
            subscription: subscription,
            plan: Plan(code: try row.decode(11), rank: try row.decode(12)),
            nextProductName: try row.decode(15)
        )
    }
}
