import Billing
import Foundation
import Storage
import Testing

@Suite("The screens of one order, the inbox and one notification") struct DetailScreensTests {
    @Test("an order comes with its ledger, its subscription, what the store said and what the customer has")
    func order() async throws {
        try await ScreenSamples.with(orders: 12) { database, _ in
            let found = try await database.read {
                try await $0.screens.order(
                    number: "ORD-20261121-1003",
                    app: ScreenSamples.app,
                    seesPersonalData: true
                )
            }
            let details = try #require(found)
            #expect(details.order.status == .refunded && details.order.storeProductID == "pro.yearly")
            #expect(details.ledger.map(\.amount) == [19_800, -19_800])
            #expect(details.ledger.map(\.notification) == [ScreenSamples.id(100_003), nil])
            let numbers = ["ORD-20261121-1003", "ORD-20261121-1011", "ORD-20261121-1007"]
            #expect(details.subscriptionOrders.map(\.number) == numbers)
            #expect(Set(details.notifications.map(\.id)) == Set([3, 7, 11].map { ScreenSamples.id(100_000 + $0) }))
            #expect(details.customer.name == "100% O_Brien")
            let plan = try #require(details.subscriptions.first)
            #expect(plan.plan == Plan(code: "PRO", rank: 1) && plan.subscription.hasAccess(at: ScreenSamples.now))
            let none = try await database.read {
                try await $0.screens.order(
                    number: "ORD-20261121-9000",
                    app: ScreenSamples.app,
                    seesPersonalData: true
                )
            }
            #expect(none == nil)
        }
    }

    @Test("the inbox pages through its states and names the order each made")
    func inbox() async throws {
        try await ScreenSamples.with(orders: 61) { database, _ in
            let counts = CappedCounts()
            func page(_ filter: NotificationFilter) async throws -> ListPage<ListedNotification> {
                try await database.read {
                    try await $0.screens.notifications(filter, app: ScreenSamples.app, counts: counts)
                }
            }
            var filter = NotificationFilter()
            var seen: [UUID] = []
            while true {
                let list = try await page(filter)
                #expect(list.total == .exact(61) && list.rowsBefore == seen.count)
                seen += list.rows.map(\.id)
                guard let next = list.next(by: filter) else { break }
                filter.position = .after(next)
            }
            #expect(Set(seen).count == 61)
            let failed = try await page(NotificationFilter(state: .failed))
            #expect(failed.rows.count == 7 && failed.rows.allSatisfy { $0.lastError == "no such product" })
            let newest = try #require(failed.rows.first { $0.id == ScreenSamples.id(100_000) })
            #expect(newest.orderNumber == "ORD-20261121-1000")
        }
    }

    @Test("a notification comes with its payload and the orders of its subscription, those it made marked")
    func notification() async throws {
        try await ScreenSamples.with(orders: 9) { database, _ in
            let found = try await database.read {
                try await $0.screens.notification(id: ScreenSamples.id(100_004), app: ScreenSamples.app)
            }
            let details = try #require(found)
            #expect(details.signedPayload == "e30.e30.e30" && details.attempts.isEmpty && details.effect == nil)
            #expect(details.orders.filter(\.isMadeByIt).map(\.number) == ["ORD-20261121-1004"])
            #expect(details.orders.count == 3)
            let foreign = try await database.read {
                try await $0.screens.notification(id: ScreenSamples.id(100_004), app: ScreenSamples.otherApp)
            }
            #expect(foreign == nil)
        }
    }
}
