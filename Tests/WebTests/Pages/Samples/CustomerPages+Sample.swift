import API
import Billing
import Desk
import Foundation
import HTTP
import Storage
import Web

extension CustomerIndexPage {
    static let sample = CustomerIndexPage(
        list: Sample.customers(),
        filter: CustomerFilter(),
        plans: Sample.plans,
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let analystSample = CustomerIndexPage(
        list: Sample.customers(count: 3, hasNext: false),
        filter: CustomerFilter(search: "9c2f"),
        plans: Sample.plans,
        viewer: Sample.analyst,
        now: Sample.now
    )

    static let noMatchSample = CustomerIndexPage(
        list: ListPage(rows: [], total: .exact(0)),
        filter: CustomerFilter(
            search: "<b>",
            plan: .noAccess,
            store: .wechat,
            hasRefunds: true,
            from: BusinessDay("2026-01-01"),
            to: BusinessDay("2026-01-31")
        ),
        plans: Sample.plans,
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let emptySample = CustomerIndexPage(
        list: ListPage(rows: [], total: .exact(0)),
        filter: CustomerFilter(),
        plans: Sample.plans,
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension CustomerShowPage {
    static let sample = CustomerShowPage(
        details: Sample.customerDetails,
        timeline: ListPage(rows: Sample.moments, hasNext: true),
        filter: Timeline.Filter(),
        actions: [PageAction(label: "Grant…", href: "/dashboard/customers/1/grant")],
        from: "/dashboard/customers?q=lina",
        newNoteID: Sample.uuid(7_000),
        staff: Staff.ID(Sample.uuid(500)),
        viewer: Sample.viewer,
        now: Sample.now
    )

    static let analystSample = CustomerShowPage(
        details: Sample.customerDetails,
        timeline: ListPage(rows: Sample.moments),
        filter: Timeline.Filter(part: .money),
        from: "https://example.com/",
        newNoteID: Sample.uuid(7_000),
        staff: Staff.ID(Sample.uuid(501)),
        viewer: Sample.analyst,
        now: Sample.now
    )

    /// The page of a customer of whom only the key is known.
    static let bareSample = CustomerShowPage(
        details: CustomerDetails(
            customer: OrderDetails.Customer(
                id: Customer.ID(Sample.uuid(9)),
                key: "apple:2000000712345678",
                externalID: nil,
                name: nil,
                email: nil
            ),
            createdAt: Sample.now,
            subscriptions: [],
            entitlementSources: EntitlementSources(customer: Customer.ID(Sample.uuid(9))),
            orders: [],
            hasMoreOrders: false,
            notes: [],
            fraud: FraudFacts()
        ),
        timeline: ListPage(rows: []),
        filter: Timeline.Filter(part: .staff),
        from: nil,
        newNoteID: Sample.uuid(7_000),
        staff: Staff.ID(Sample.uuid(500)),
        viewer: Sample.viewer,
        now: Sample.now
    )
}

extension NoteWithdrawalPage {
    static let sample = NoteWithdrawalPage(
        note: Sample.note(1, by: 500),
        customer: Customer.ID(Sample.uuid(1_000)),
        from: nil,
        viewer: Sample.viewer
    )
}

extension Sample {
    static let plans = [PlanChoice(code: "FREE", name: "Free"), PlanChoice(code: "PRO", name: "Pro")]

    static func customer(_ index: Int) -> OrderDetails.Customer {
        let (name, email, key) = customers[index % customers.count]
        return OrderDetails.Customer(
            id: Customer.ID(uuid(1_000 + index)),
            key: key,
            externalID: index % 3 == 0 ? "user-\(index)" : nil,
            name: name.map { Personal($0) },
            email: email.map { Personal($0) }
        )
    }

    static func held(
        _ index: Int,
        state: Subscription.State = .active,
        days: Double = 24,
        plan: Plan = Plan(code: "PRO", rank: 1)
    ) -> OrderDetails.CustomerSubscription {
        var subscription = Subscription()
        subscription.state = state
        subscription.productID = "com.readmigo.pro.yearly"
        subscription.startedAt = now.addingTimeInterval(-340 * 86_400)
        subscription.periodStartsAt = now.addingTimeInterval(-340 * 86_400)
        subscription.periodEndsAt = now.addingTimeInterval(days * 86_400)
        subscription.renewsAutomatically = state == .active
        subscription.renewalPrice = Money(minorUnits: 12_800, currency: currency("CNY"))
        if state == .cancelled { subscription.cancelledAt = now.addingTimeInterval(-3 * 86_400) }
        return OrderDetails.CustomerSubscription(
            id: Subscription.ID(uuid(3_000 + index)),
            subscription: subscription,
            plan: plan,
            nextProductName: nil
        )
    }

    static func customers(count: Int = 25, hasNext: Bool = true) -> ListPage<ListedCustomer> {
        let rows = (0..<count).map { index in
            let states: [Subscription.State] = [.active, .cancelled, .expired, .trial]
            let subscriptions =
                index % 5 == 4 ? [] : [held(index, state: states[index % 4], days: index % 4 == 2 ? -5 : 24)]
            return ListedCustomer(
                customer: customer(index),
                createdAt: now.addingTimeInterval(-Double(index) * 40_000),
                subscriptions: subscriptions,
                entitlementSources: entitlementSources(subscriptions),
                lastOrder: index % 5 == 4
                    ? nil
                    : ListedCustomer.LastOrder(
                        number: "ORD-20261121-\(1_284 - index)",
                        purchasedAt: now.addingTimeInterval(-Double(index) * 30_000),
                        store: index % 3 == 2 ? .wechat : .apple
                    ),
                hasRefunds: index % 6 == 1
            )
        }
        return ListPage(
            rows: rows,
            total: hasNext ? .moreThanCounted : .exact(count),
            rowsBefore: 0,
            hasPrevious: false,
            hasNext: hasNext
        )
    }

    static func note(_ index: Int, by staff: Int) -> CustomerNote {
        CustomerNote(
            id: CustomerNote.ID(uuid(6_000 + index)),
            staff: Staff.ID(uuid(staff)),
            author: staff == 500 ? "Lin Wei" : "Mei",
            text: Personal("Writes in Chinese, prefers e-mail.\n</p><script>alert(\(index))</script>"),
            createdAt: now.addingTimeInterval(-Double(index) * 86_400)
        )
    }

    static let customersSubscriptions = [
        heldBy(0, held(0, plan: Plan(code: "PREMIUM", rank: 2))), heldBy(1, held(1, state: .cancelled, days: 9)),
        heldBy(2, held(2, state: .expired, days: -300)),
    ]

    static func entitlementSources(_ subscriptions: [OrderDetails.CustomerSubscription]) -> EntitlementSources {
        EntitlementSources(
            customer: Customer.ID(uuid(1_000)),
            subscriptions: subscriptions.map {
                HeldSubscription(id: $0.id, subscription: $0.subscription, plan: $0.plan)
            }
        )
    }

    static let customerDetails = CustomerDetails(
        customer: customer(0),
        createdAt: now.addingTimeInterval(-341 * 86_400),
        subscriptions: customersSubscriptions,
        entitlementSources: entitlementSources(customersSubscriptions.map(\.held)),
        orders: (0..<10).map { orderRow($0 * 7) },
        hasMoreOrders: true,
        notes: [note(1, by: 500), note(2, by: 501)],
        fraud: FraudFacts(
            accountTokens: [uuid(1)],
            accountHistories: [.init(originalTransactionID: "2000000712345678", accountTokens: [uuid(2), uuid(1)])],
            orders: 10,
            refundedOrders: 4
        ),
        identities: [
            SignInIdentity(
                id: SignInIdentity.ID(uuid(7_000)),
                provider: .apple,
                linkedAt: now.addingTimeInterval(-341 * 86_400),
                lastSignInAt: now.addingTimeInterval(-3_600)
            )
        ]
    )

    static func heldBy(_ index: Int, _ held: OrderDetails.CustomerSubscription) -> CustomerDetails.Held {
        CustomerDetails.Held(
            held: held,
            store: index == 1 ? .wechat : .apple,
            environment: index == 2 ? .sandbox : .production,
            originalTransactionID: "200000071234567\(index)",
            productName: "Pro yearly"
        )
    }

    static let moments: [Timeline.Moment] = [
        Timeline.Moment(
            id: uuid(1),
            at: now.addingTimeInterval(-600),
            what: .staff(
                Timeline.Action(
                    actor: "mei@example.com",
                    role: .support,
                    action: "grant.extend",
                    objectType: "grant",
                    objectID: "1",
                    before: #"{"until": "2026-12-01", "plan": "PRO", "token": "s3cret"}"#,
                    after: #"{"until": "2026-12-31", "plan": "PRO", "token": "s4cret"}"#,
                    reason: "Outage of 3 June. <b>"
                )
            )
        ),
        Timeline.Moment(
            id: uuid(2),
            at: now.addingTimeInterval(-86_400),
            recordedAt: now.addingTimeInterval(-86_390),
            what: .event(
                Timeline.Event(
                    subscription: Subscription.ID(uuid(3_000)),
                    store: .apple,
                    kind: .gracePeriodEntered,
                    before: .active,
                    after: .gracePeriod,
                    productName: "Pro yearly",
                    expiresAt: now.addingTimeInterval(86_400),
                    notification: uuid(4_000),
                    payload: #"{"id": "n-1", "note": "</script><img onerror=1>", "signedPayload": "eyJ.eyJ.sig"}"#
                )
            )
        ),
        Timeline.Moment(
            id: uuid(3),
            at: now.addingTimeInterval(-2 * 86_400),
            recordedAt: now.addingTimeInterval(-2 * 86_400 + 3),
            what: .movement(
                Timeline.Movement(
                    order: "ORD-20261119-0001",
                    kind: .refund,
                    status: .success,
                    store: .apple,
                    amount: -4_000,
                    currency: currency("CNY"),
                    notification: uuid(4_001)
                )
            )
        ),
        Timeline.Moment(
            id: uuid(4),
            at: now.addingTimeInterval(-3 * 86_400),
            recordedAt: now.addingTimeInterval(-3 * 86_400 + 3),
            what: .charge(
                Timeline.Charge(
                    order: "ORD-20261119-0001",
                    kind: .renewal,
                    status: .completed,
                    store: .apple,
                    environment: .sandbox,
                    productName: "Pro yearly",
                    amount: 12_800,
                    currency: currency("CNY")
                )
            )
        ),
        Timeline.Moment(id: uuid(5), at: now.addingTimeInterval(-341 * 86_400), what: .firstSeen),
    ]
}
