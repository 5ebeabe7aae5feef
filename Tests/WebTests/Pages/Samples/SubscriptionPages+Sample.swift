import Billing
import Desk
import Foundation
import HTTP
import Storage
import Web

extension SubscriptionIndexPage {
    static let sample = SubscriptionIndexPage(
        list: Sample.subscriptions(),
        filter: SubscriptionFilter(sort: .end, direction: .ascending),
        plans: Sample.plans,
        customer: nil,
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let noMatchSample = SubscriptionIndexPage(
        list: ListPage(rows: [], total: .exact(0), isCut: true),
        filter: SubscriptionFilter(
            search: "lina",
            state: .gracePeriod,
            plan: "PRO",
            store: .apple,
            environment: .sandbox,
            customer: Customer.ID(Sample.uuid(1_000)),
            renewsWithin: 7
        ),
        plans: Sample.plans,
        customer: "李娜",
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension SubscriptionShowPage {
    static let sample = SubscriptionShowPage(
        details: Sample.subscriptionDetails,
        from: "/dashboard/subscriptions?state=cancelled",
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension Sample {
    static func subscriptions() -> ListPage<ListedSubscription> {
        let rows = (0..<25).map { index in
            let states: [Subscription.State] = [.active, .cancelled, .expired, .gracePeriod, .pending]
            let held = held(index, state: states[index % 5], days: index % 5 == 2 ? -5 : Double(index))
            return ListedSubscription(
                id: held.id,
                subscription: held.subscription,
                store: index % 4 == 3 ? .alipay : .apple,
                environment: index % 6 == 5 ? .sandbox : .production,
                originalTransactionID: "20000007123456\(10 + index)",
                productName: index % 5 == 4 ? nil : "Pro yearly",
                planCode: index % 5 == 4 ? nil : "PRO",
                startedAt: now.addingTimeInterval(-Double(index) * 50_000),
                createdAt: now.addingTimeInterval(-Double(index) * 50_000),
                updatedAt: now,
                customer: customer(index)
            )
        }
        return ListPage(
            rows: rows,
            total: .exact(60),
            rowsBefore: 25,
            hasPrevious: true,
            hasNext: true
        )
    }

    static let subscriptionDetails = SubscriptionDetails(
        row: subscriptions().rows[1],
        held: held(1, state: .cancelled),
        trialEndsAt: now.addingTimeInterval(-330 * 86_400),
        isFamilyShared: false,
        storeProductID: "com.readmigo.pro.yearly",
        lastSignedAt: now,
        events: [
            SubscriptionDetails.Event(
                kind: .autoRenewDisabled,
                before: .active,
                after: .cancelled,
                signedAt: now.addingTimeInterval(-3 * 86_400),
                recordedAt: now.addingTimeInterval(-3 * 86_400 + 2),
                notification: uuid(4_002)
            ),
            SubscriptionDetails.Event(
                kind: .paused,
                before: .active,
                after: .active,
                rejectionReason: "it is not of this kind",
                signedAt: now.addingTimeInterval(-4 * 86_400),
                recordedAt: now.addingTimeInterval(-4 * 86_400)
            ),
        ],
        orders: [
            OrderDetails.SubscriptionOrder(
                number: "ORD-20251215-0001",
                kind: .renewal,
                status: .partiallyRefunded,
                amount: 12_800,
                currency: currency("CNY"),
                purchasedAt: now.addingTimeInterval(-340 * 86_400),
                periodStartsAt: now.addingTimeInterval(-340 * 86_400),
                periodEndsAt: now.addingTimeInterval(24 * 86_400)
            )
        ],
        notifications: [
            OrderDetails.Notification(
                id: uuid(4_002),
                type: "DID_CHANGE_RENEWAL_STATUS",
                subtype: "AUTO_RENEW_DISABLED",
                state: .processed,
                signedAt: now.addingTimeInterval(-3 * 86_400),
                receivedAt: now.addingTimeInterval(-3 * 86_400),
                finishedAt: now.addingTimeInterval(-3 * 86_400),
                lastError: nil,
                rejectionReason: nil
            )
        ]
    )
}
