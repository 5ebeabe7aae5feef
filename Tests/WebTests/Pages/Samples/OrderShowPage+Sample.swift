import API
import Billing
import Desk
import Foundation
import HTTP
import Storage

extension OrderShowPage {
    /// The page of a yearly order with a partial refund, as an admin sees it.
    static let sample = sample(in: .english)

    static func sample(in language: Language) -> OrderShowPage {
        OrderShowPage(
            details: Sample.orderDetails(),
            from: "/dashboard/orders?status=partially_refunded",
            viewer: Sample.viewer(in: language),
            now: Sample.now
        )
    }

    static let analystSample = OrderShowPage(
        details: Sample.orderDetails(),
        from: nil,
        viewer: Sample.analyst,
        now: Sample.now
    )
}

extension Sample {
    static let purchasedAt = Date(timeIntervalSince1970: 1_734_235_200)
    static let refundedAt = Date(timeIntervalSince1970: 1_738_458_845)

    static func orderDetails(
        status: OrderStatus = .partiallyRefunded,
        refunded: Int64 = 4_000,
        subscriptions: [OrderDetails.CustomerSubscription]? = nil
    ) -> OrderDetails {
        var order = OrderDetails.Order(
            id: uuid(1),
            number: "ORD-20241215-0001",
            kind: .initialPurchase,
            status: status,
            store: .apple,
            environment: .production,
            transactionID: "1000000123456789",
            originalTransactionID: "1000000123456780",
            productName: "Pro yearly",
            storeProductID: "com.readmigo.pro.yearly",
            planCode: "PRO",
            amount: 12_800,
            refunded: refunded,
            currency: currency("CNY"),
            storefront: "CHN",
            purchasedAt: purchasedAt,
            periodStartsAt: purchasedAt,
            periodEndsAt: purchasedAt.addingTimeInterval(365 * 86_400)
        )
        order.storeShare = StoreShare(StoreFee(), under: StoreTerms.world, after: 0, at: .apple)
        return OrderDetails(
            order: order,
            customer: OrderDetails.Customer(
                id: Customer.ID(uuid(1_000)),
                key: customers[0].key,
                externalID: "user-4711",
                name: "李娜",
                email: "lina@example.com"
            ),
            ledger: ledger,
            subscriptionOrders: subscriptionOrders,
            notifications: subscriptionNotifications,
            subscriptions: subscriptions ?? [subscription()]
        )
    }

    static func subscription(
        state: Subscription.State = .active,
        endsIn days: Double = 24.3,
        renews: Bool = true,
        next: String? = nil
    ) -> OrderDetails.CustomerSubscription {
        var subscription = Subscription()
        subscription.state = state
        subscription.productID = "com.readmigo.pro.yearly"
        subscription.startedAt = purchasedAt
        subscription.periodStartsAt = purchasedAt
        subscription.periodEndsAt = now.addingTimeInterval(days * 86_400)
        subscription.renewsAutomatically = renews
        subscription.nextProductID = next
        subscription.renewalPrice = Money(minorUnits: 12_800, currency: currency("CNY"))
        return OrderDetails.CustomerSubscription(
            id: Subscription.ID(uuid(5)),
            subscription: subscription,
            plan: Plan(code: "PRO", rank: 1),
            nextProductName: next == nil ? nil : "Pro monthly"
        )
    }

    private static let ledger = [
        OrderDetails.Entry(
            kind: .initialPurchase,
            status: .success,
            amount: 12_800,
            storeTransactionID: "1000000123456789",
            notification: uuid(11),
            failureReason: nil,
            occurredAt: purchasedAt,
            recordedAt: purchasedAt.addingTimeInterval(2)
        ),
        OrderDetails.Entry(
            kind: .refund,
            status: .success,
            amount: -4_000,
            storeTransactionID: "1000000123456789",
            notification: uuid(13),
            failureReason: nil,
            occurredAt: refundedAt,
            recordedAt: refundedAt.addingTimeInterval(5)
        ),
    ]

    private static let subscriptionOrders = [
        OrderDetails.SubscriptionOrder(
            number: "ORD-20251215-0007",
            kind: .renewal,
            status: .completed,
            amount: 12_800,
            currency: currency("CNY"),
            purchasedAt: purchasedAt.addingTimeInterval(365 * 86_400),
            periodStartsAt: purchasedAt.addingTimeInterval(365 * 86_400),
            periodEndsAt: purchasedAt.addingTimeInterval(730 * 86_400)
        ),
        OrderDetails.SubscriptionOrder(
            number: "ORD-20241215-0001",
            kind: .initialPurchase,
            status: .partiallyRefunded,
            amount: 12_800,
            currency: currency("CNY"),
            purchasedAt: purchasedAt,
            periodStartsAt: purchasedAt,
            periodEndsAt: purchasedAt.addingTimeInterval(365 * 86_400)
        ),
    ]

    private static let subscriptionNotifications = [
        notification(14, "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", .failed, after: 50_000_000, error: true),
        notification(13, "REFUND", nil, .processed, after: 4_223_650),
        notification(12, "CONSUMPTION_REQUEST", nil, .ignored, after: 4_000_000),
        notification(11, "SUBSCRIBED", "INITIAL_BUY", .processed, after: 2),
    ]

    private static func notification(
        _ number: Int,
        _ type: String,
        _ subtype: String?,
        _ state: NotificationState,
        after seconds: Double,
        error: Bool = false
    ) -> OrderDetails.Notification {
        let receivedAt = purchasedAt.addingTimeInterval(seconds)
        return OrderDetails.Notification(
            id: uuid(number),
            type: type,
            subtype: subtype,
            state: state,
            signedAt: receivedAt,
            receivedAt: receivedAt,
            finishedAt: receivedAt.addingTimeInterval(0.014),
            lastError: error ? "The catalogue has no product com.readmigo.gone.yearly." : nil,
            rejectionReason: nil
        )
    }
}
