import Billing
import Desk
import Foundation
import HTML
import HTTP
import Storage
import Testing
import Words

@Suite struct OrderShowPageTests {
    @Test("the head says what, whose, which store, which state and since when")
    func head() {
        let html = OrderShowPage.sample.html()
        #expect(
            html.contains(">ORD-20241215-0001</span> <span class=\"status partial\">Partially refunded</span></h1>")
        )
        #expect(html.contains("Pro yearly · 李娜 · Apple, production · <time datetime=\"2024-12-15T12:00:00+08:00\""))
        #expect(html.contains("128.00 charged · 40.00 refunded · <strong>88.00 CNY</strong> net"))
    }

    @Test("an order that was never paid keeps nothing")
    func unpaid() {
        let html = page(Sample.orderDetails(status: .failed, refunded: 0))
        #expect(html.contains("No charge · <strong>0.00 CNY</strong> net"))
    }

    @Test("the way back keeps the list's query, and never leaves the dashboard")
    func back() {
        #expect(OrderShowPage.sample.html().contains("<a href=\"/dashboard/orders?status=partially_refunded\">"))
        for path in [
            "https://evil.example/", "//evil.example", "/dashboard/../evil", "/dashboardx", "/dashboard/\\evil",
        ] {
            let html = page(Sample.orderDetails(), from: path)
            #expect(!html.contains("evil") && html.contains("<p class=\"crumbs\"><a href=\"/dashboard/orders\">"))
        }
    }

    @Test("notifications that booked something for this order are marked")
    func makers() {
        let html = OrderShowPage.sample.html()
        #expect(html.components(separatedBy: "created this order").count == 2)
        #expect(html.components(separatedBy: "changed this order").count == 2)
        #expect(html.contains("The catalogue has no product com.readmigo.gone.yearly."))
    }

    @Test("the subscription names this order without a link and links the others")
    func subscription() {
        let html = OrderShowPage.sample.html()
        #expect(
            html.contains("<span class=\"mono nowrap\">ORD-20241215-0001</span> <span class=\"tag\">this order</span>")
        )
        #expect(html.contains("href=\"/dashboard/orders/ORD-20251215-0007?from="))
    }

    @Test("an analyst sees ids, never name or address")
    func analyst() {
        let html = OrderShowPage.analystSample.html()
        #expect(!html.contains("李娜") && !html.contains("lina@example.com"))
        #expect(html.contains(Sample.customers[0].key) && html.contains("user-4711"))
    }

    struct Case: Sendable {
        let state: Subscription.State
        let days: Double
        var renews = true
        var next: String?
        let strings: String
        let until: String?
        let following: String
    }

    @Test(
        "the customer panel says what they have, until when, and what happens then",
        arguments: [
            Case(
                state: .active,
                days: 24.3,
                strings: "PRO, active",
                until: "(24 days left)",
                following: "renews, 128.00 CNY"
            ),
            Case(
                state: .active,
                days: 6.999,
                strings: "PRO, active",
                until: "(7 days left)",
                following: "renews, 128.00 CNY"
            ),
            Case(
                state: .active,
                days: 1.5,
                next: "com.readmigo.pro.monthly",
                strings: "PRO, active",
                until: "(1 day left)",
                following: "changes to Pro monthly, 128.00 CNY"
            ),
            Case(
                state: .trial,
                days: 0.2,
                renews: false,
                strings: "PRO, trial",
                until: "(less than a day left)",
                following: "ends; it does not renew"
            ),
            Case(
                state: .cancelled,
                days: 3,
                renews: false,
                strings: "PRO, cancelled",
                until: "(3 days left)",
                following: "ends; the customer turned renewal off"
            ),
            Case(
                state: .gracePeriod,
                days: 2,
                strings: "PRO, grace period",
                until: "(2 days left)",
                following: "the store is retrying payment; access ends if it fails"
            ),
            Case(
                state: .billingRetry,
                days: -2,
                strings: "No access, billing retry",
                until: nil,
                following: "access returns once the store collects payment"
            ),
            Case(
                state: .active,
                days: -2,
                strings: "No access, expired",
                until: nil,
                following: "a new purchase restarts it"
            ),
        ]
    )
    func entitlement(_ given: Case) {
        let subscription = Sample.subscription(
            state: given.state,
            endsIn: given.days,
            renews: given.renews,
            next: given.next
        )
        let html = page(Sample.orderDetails(subscriptions: [subscription]))
        #expect(html.contains(">\(given.strings)</span></dd>"))
        #expect(html.contains("<dt>Until</dt>") == (given.until != nil))
        if let until = given.until { #expect(html.contains(until)) }
        #expect(html.contains(given.following))
    }

    @Test("a customer without any subscription has no access")
    func nothing() {
        #expect(page(Sample.orderDetails(subscriptions: [])).contains(">No access</span>"))
    }

    private func page(_ details: OrderDetails, from: String? = nil) -> String {
        OrderShowPage(details: details, from: from, viewer: Sample.viewer, now: Sample.now).html()
    }
}
