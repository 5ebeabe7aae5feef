import Billing
import Foundation
import Postgres

extension OrderDetails.EntryStatus: PostgresDecodable {}
extension NotificationState: PostgresEncodable, PostgresDecodable {}

extension OrderDetails.Order {
    init(_ columns: inout RowColumns) throws {
        id = try columns.next()
        number = try columns.next()
        kind = try columns.next()
        status = try columns.next()
        store = try columns.next()
        environment = try columns.next()
        transactionID = try columns.next()
        originalTransactionID = try columns.next()
        productName = try columns.next()
        storeProductID = try columns.next()
        planCode = try columns.next()
        amount = try columns.next()
        refunded = try columns.next()
        credited = try columns.next()
        currency = try columns.next()
        storefront = try columns.next()
        (quantity, offer) = try StoreTransaction.Offer.withQuantity(&columns)
        purchasedAt = try columns.next()
        periodStartsAt = try columns.next()
        periodEndsAt = try columns.next()
        supersededAt = try columns.next()
        refundedAt = try columns.next()
        revokedSeats = Int(try columns.next(Int32.self))
        isRefundEstimated = try columns.next()
        (carriedIn, carriedOut) = (try columns.next(), try columns.next())
    }
}

extension StoreTransaction.Offer {
    /// Quantity, kind, identifier and whether it is a trial, as the columns of an order have them.
    static func withQuantity(_ columns: inout RowColumns) throws -> (Int, Self?) {
        let quantity: Int32 = try columns.next()
        let (kind, identifier): (Kind?, String?) = (try columns.next(), try columns.next())
        let isFreeTrial: Bool = try columns.next()
        guard kind != nil || identifier != nil || isFreeTrial else { return (Int(quantity), nil) }
        return (Int(quantity), Self(kind: kind, identifier: identifier, isFreeTrial: isFreeTrial))
    }
}

extension OrderDetails.Customer {
    init(_ columns: inout RowColumns) throws {
        id = try columns.next()
        key = try columns.next()
        externalID = try columns.next()
        name = try columns.next()
        email = try columns.next()
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
    /// The columns that `init(_:)` reads, of `subscriptions s`, the `product`, its `plan` and the product that is `following`.
    static let columns: Query = """
        s.id, \(Subscription.columns), \(Subscription.renewalColumns), s.cancelled_at, s.ended_at, coalesce(plan.code, ''), coalesce(plan.rank, 0),
        product.store_product_id, s.next_store_product_id, following.name
        """

    static let columnCount = 15 + Subscription.renewalColumnCount

    /// The product, its plan and the one that follows; any of them may be missing.
    static let joins: Query = """
        LEFT JOIN products product ON product.id = s.product_id
        LEFT JOIN plans plan ON plan.id = product.plan_id
        LEFT JOIN products following ON following.app_id = s.app_id AND following.store = s.store
            AND following.store_product_id = s.next_store_product_id
        """

    init(_ columns: inout RowColumns) throws {
        let id: Subscription.ID = try columns.next()
        var subscription = try Subscription(&columns)
        try subscription.readRenewal(&columns)
        subscription.cancelledAt = try columns.next()
        subscription.endedAt = try columns.next()
        let plan = Plan(code: try columns.next(), rank: try columns.next())
        subscription.productID = try columns.next()
        subscription.nextProductID = try columns.next()
        self.init(id: id, subscription: subscription, plan: plan, nextProductName: try columns.next())
    }
}
