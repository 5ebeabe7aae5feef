import Billing
import Desk
import Foundation
import HTML
import HTTP
import Storage
import Testing
import Words

@Suite struct OrderIndexPageTests {
    @Test("range, total and order are said, and the title carries the state")
    func range() {
        let filter = OrderFilter(status: .refunded, search: "lina", sort: .amount, direction: .ascending)
        let html = page(Sample.orders(before: 25, total: .exact(1_284)), filter)
        #expect(html.contains("role=\"status\">26–50 of 1,284 · smallest amount first<"))
        #expect(html.contains("<title>Orders, refunded, “lina” (26–50 of 1,284) – Readmigo – Perennial</title>"))
        #expect(page(Sample.orders(total: .moreThanCounted)).contains(">1–25 of 10,000+ · newest first<"))
        #expect(page(Sample.orders(count: 1, total: .exact(1), hasNext: false)).contains(">1 of 1 · newest first<"))
    }

    @Test("exactly one heading says how the list is sorted", arguments: [OrderFilter.Sort.created, .amount])
    func sort(_ sort: OrderFilter.Sort) {
        let html = page(Sample.orders(), OrderFilter(sort: sort))
        #expect(html.components(separatedBy: "aria-sort=").count == 2)
        let link = sort == .amount ? "/dashboard/orders?sort=amount&amp;dir=asc" : "/dashboard/orders?dir=asc"
        #expect(html.contains("aria-sort=\"descending\"><a href=\"\(link)\">"))
    }

    @Test("a filter or sort link starts from the first page and keeps the other filters")
    func links() throws {
        let cursor = PageCursor(kind: .orderCreated, date: Sample.now, id: Sample.uuid(3), rowsBefore: 25)
        let filter = OrderFilter(search: "lina", position: .after(cursor))
        let html = page(Sample.orders(before: 25), filter)
        #expect(html.contains("href=\"/dashboard/orders?q=lina&amp;status=failed\""))
        #expect(html.contains("href=\"/dashboard/orders?q=lina&amp;sort=amount\""))
    }

    @Test("a chip removes its own filter only")
    func chips() {
        let html = page(
            Sample.orders(),
            OrderFilter(status: .failed, search: "lina", customer: Customer.ID(Sample.uuid(9)))
        )
        let customer = "customer=\(Sample.uuid(9).uuidString.lowercased())"
        #expect(
            html.contains(
                "href=\"/dashboard/orders?q=lina&amp;\(customer)\" aria-label=\"Remove filter Status: Failed\""
            )
        )
        #expect(
            html.contains(
                "href=\"/dashboard/orders?status=failed&amp;\(customer)\" aria-label=\"Remove filter Search: “lina”\""
            )
        )
        #expect(
            html.contains(
                "href=\"/dashboard/orders?q=lina&amp;status=failed\" aria-label=\"Remove filter Customer: \(Sample.uuid(9).uuidString.lowercased())\""
            )
        )
        #expect(html.contains("<a href=\"/dashboard/orders\">Clear all</a>"))
    }

    @Test("the first page has no Previous, the last no Next, a single page neither")
    func ends() {
        let first = page(Sample.orders())
        #expect(!first.contains("rel=\"prev\"") && first.contains("rel=\"next\""))
        let last = page(Sample.orders(before: 25, hasNext: false))
        #expect(last.contains("rel=\"prev\"") && !last.contains("rel=\"next\""))
        #expect(!page(Sample.orders(count: 3, hasNext: false)).contains("aria-label=\"Pages\""))
    }

    @Test("Next leads behind the last row and says how many come before")
    func next() throws {
        let list = Sample.orders(before: 50)
        let html = page(list, OrderFilter(sort: .amount))
        let text = try #require(html.firstMatch(of: /rel="next" href="[^"]*after=([^"]+)"/)?.1)
        let cursor = try PageCursor(text: String(text), kind: .orderAmount)
        #expect(cursor.id == list.rows.last?.id && cursor.value == list.rows.last?.amount)
        #expect(cursor.rowsBefore == 75)
    }

    @Test("rows link to their order and bring the list's query along")
    func rowLinks() {
        let html = page(Sample.orders(), OrderFilter(status: .failed))
        #expect(
            html.contains("href=\"/dashboard/orders/ORD-20261121-1284?from=%2Fdashboard%2Forders%3Fstatus%3Dfailed\"")
        )
        #expect(page(Sample.orders()).contains("href=\"/dashboard/orders/ORD-20261121-1284\""))
    }

    @Test("the three kinds of nothing read differently and each leads on")
    func empty() {
        #expect(page(Sample.noOrders).contains("No orders yet"))
        #expect(
            page(Sample.noOrders).contains("<a href=\"/dashboard/notifications\">View store notifications</a>")
        )
        let noMatch = page(Sample.noOrders, OrderFilter(status: .failed, search: "xyz"))
        #expect(noMatch.contains("No results: failed, “xyz”.") && noMatch.contains("Show all orders"))
        let error = ErrorPage(
            ErrorText(status: 403, requestID: "r-1", Strings(.english)),
            viewer: Sample.viewer,
            path: "/dashboard/orders"
        )
        #expect(error.html().contains("You don't have permission") && error.html().contains("r-1"))
    }

    @Test("what people typed is text, never markup")
    func escaping() {
        let html = OrderIndexPage.noMatchSample.html()
        #expect(!html.contains("<b>"))
        #expect(html.contains("value=\"&lt;b&gt;&quot;李娜&quot;&amp;\""))
    }

    @Test("an analyst's list holds no name and no address, whatever the rows hold")
    func analyst() {
        let html = page(Sample.orders(), OrderFilter(), Sample.analyst)
        for customer in Sample.customers {
            if let name = customer.name { #expect(!html.contains(name)) }
            if let email = customer.email { #expect(!html.contains(email)) }
            #expect(html.contains(customer.key))
        }
        #expect(!html.contains("or email"))
    }

    @Test("amounts have the currency's own digits, times their offset and UTC")
    func values() {
        let html = page(Sample.orders())
        #expect(html.contains("<td class=\"amount\">12,345,678.00 <span class=\"currency\">CNY</span></td>"))
        #expect(html.contains(">19,800 <span class=\"currency\">JPY</span>"))
        let time =
            "datetime=\"2026-11-21T10:37:00+08:00\" title=\"2026-11-21 02:37:00 UTC\">21 Nov 2026 <small>10:37</small>"
        #expect(html.contains(time))
    }

    @Test("a short search says what it can find")
    func hint() {
        #expect(page(Sample.noOrders, OrderFilter(search: "李娜")).contains("customer's whole name"))
        #expect(page(Sample.noOrders, OrderFilter(search: "x")).contains("Type three or more characters"))
        #expect(!page(Sample.orders(), OrderFilter(search: "xyz")).contains("class=\"hint\""))
    }

    private func page(
        _ list: ListPage<ListedOrder>,
        _ filter: OrderFilter = OrderFilter(),
        _ viewer: Viewer = Sample.viewer
    ) -> String {
        OrderIndexPage(list: list, filter: filter, viewer: viewer, now: Sample.now).html()
    }
}
