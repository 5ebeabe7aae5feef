import Foundation
import HTTPTypes
import Postgres
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("The refund desk's routes") struct RefundRoutesTests {
    private static let order = "ORD-20260101-0001"
    private static let form = "/dashboard/orders/\(order)/refund"
    private static let reason = [("category", "mistaken_purchase"), ("reason", "Bought by mistake last night.")]

    @Test("asked for by support, approved by an admin, marked as paid: forms, flashes and the ledger")
    func life() async throws {
        try await Self.run { site, support, admin in
            let page = try await support.get("/dashboard/orders/\(Self.order)")
            #expect(page.text.contains("href=\"\(Self.form)\""))
            let asked = try await Self.send(
                support,
                Self.form,
                [("kind", "partial"), ("amount", "12,50")] + Self.reason
            )
            #expect(asked.status == .seeOther)
            #expect(asked.location == "/dashboard/refunds/RF-000001")
            let shown = try await support.get("/dashboard/refunds/RF-000001").text
            #expect(shown.contains("Refund RF-000001 requested and pending review."))
            #expect(!(try await support.get("/dashboard/refunds/RF-000001").text.contains("class=\"flash\"")))
            #expect(try await admin.get("/dashboard/refunds").text.contains("count due\">1<"))
            let approval = "/dashboard/refunds/RF-000001/approval"
            #expect(try await Self.send(support, approval, Self.reason, from: Self.form).status == .forbidden)
            // The store pays back the unused part of the year, which is enough to be typed.
            let typed = Self.reason + [("confirmation", "1-0001")]
            #expect(try await Self.send(admin, approval, typed).location == "/dashboard/refunds/RF-000001")
            let payment = "/dashboard/refunds/RF-000001/payment"
            let nothing = try await Self.send(
                admin,
                payment,
                [("payer", "elsewhere"), ("reference", " ")] + Self.reason
            )
            #expect(nothing.status == .unprocessableContent)
            #expect(nothing.text.contains("<title>Error: "))
            let paid = try await Self.send(
                admin,
                payment,
                [("payer", "elsewhere"), ("reference", "SEPA 7")] + Self.reason
            )
            #expect(paid.status == .seeOther)
            let row = try await site.pool.query(
                "SELECT status || ' ' || refunded FROM orders WHERE number = \(Self.order)"
            ).first
            #expect(try row?.decode(0, as: String.self) == "partially_refunded 1250")
            #expect(
                try await site.audit().filter { $0.hasPrefix("refund.") }
                    == ["refund.request", "refund.approve", "refund.process"]
            )
        }
    }

    @Test("a partial refund at Apple says what Apple is told, and about what it pays back, before the button")
    func partialAtApple() async throws {
        try await Self.run { site, support, admin in
            let now = site.clock.read()
            _ = try await site.pool.query(
                """
                UPDATE orders SET period_starts_at = \(now.addingTimeInterval(-10 * 86_400)),
                    period_ends_at = \(now.addingTimeInterval(20 * 86_400))
                WHERE number = \(Self.order)
                """
            )
            let form = try await support.get(Self.form)
            #expect(form.text.contains("Apple takes no amounts: it is asked to refund the unused share, about 85."))
            let fields = [("kind", "partial"), ("amount", "0.50")] + Self.reason
            _ = try await Self.send(support, "\(Self.form)", fields)
            let page = try await admin.get("/dashboard/refunds/RF-000001/approval").text
            #expect(page.contains("Apple takes no amounts. Instead of 0.50 CNY it is asked to refund the unused share"))
            #expect(page.contains("Apple then pays back about 128.00 CNY."))
            #expect(
                page.firstMatch(of: /Apple then pays back about 85\.\d\d CNY: 20 days of 30 days are unused\./) != nil
            )
            #expect(page.contains("refund of the unused share") && !page.contains("GRANT_PRORATED:"))
            #expect(page.firstMatch(of: /about 85\.\d\d CNY of 128\.00 CNY, if Apple agrees/) != nil)
        }
    }

    @Test("after a step the way back keeps the list that one came from")
    func wayBack() async throws {
        try await Self.run { _, support, admin in
            let asked = try await Self.send(
                support,
                Self.form,
                [("kind", "full"), ("from", "/dashboard/orders?q=zeynep")] + Self.reason
            )
            let order = "/dashboard/orders/\(Self.order)?from=/dashboard/orders?q=zeynep"
            #expect(
                asked.location?.removingPercentEncoding?.removingPercentEncoding
                    == "/dashboard/refunds/RF-000001?from=\(order)"
            )
            let list = "/dashboard/refunds?status=pending"
            let here = "/dashboard/refunds/RF-000001?from=\(DashboardPath.encoded(list))"
            let page = try await admin.get(here).text
            #expect(page.contains("/rejection?from=\(DashboardPath.encoded(list))\""))
            let done = try await Self.send(
                admin,
                "/dashboard/refunds/RF-000001/rejection",
                [("from", list)] + Self.reason
            )
            #expect(done.location == here)
        }
    }

    @Test("a form with mistakes comes back with each of them, and what was typed")
    func mistakes() async throws {
        try await Self.run { _, support, _ in
            let answer = try await Self.send(
                support,
                Self.form,
                [("kind", "partial"), ("amount", "x\"><b>"), ("category", "goodwill"), ("reason", "short")]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("x&quot;&gt;&lt;b&gt;") || answer.text.contains("x&#34;&gt;&lt;b&gt;"))
            #expect(answer.text.contains("href=\"#field-amount\""))
            #expect(answer.text.contains("href=\"#field-reason\""))
            #expect(!answer.text.contains("href=\"#field-category\""))
            for amount in ["0", "-5", "128.01", "1.234", "99999999999999999999"] {
                let fields = [("kind", "partial"), ("amount", amount)] + Self.reason
                #expect(try await Self.send(support, Self.form, fields).status == .unprocessableContent, "\(amount)")
            }
            #expect(
                try await Self.send(support, Self.form, [("kind", "half")] + Self.reason).status
                    == .unprocessableContent
            )
        }
    }

    @Test("whoever is late is answered 409 with what is there now; an order with less left as well")
    func stale() async throws {
        try await Self.run { site, support, admin in
            let page = try await support.get(Self.form).text
            _ = try await Self.send(support, Self.form, [("kind", "partial"), ("amount", "100")] + Self.reason)
            let late = try await support.post(
                Self.form,
                Self.hidden(of: page) + [("kind", "full")] + Self.reason
            )
            #expect(late.status == .conflict)
            #expect(late.text.contains("The refundable amount has changed."))
            let rejection = "/dashboard/refunds/RF-000001/rejection"
            let asking = try await admin.get(rejection).text
            #expect(try await Self.send(admin, rejection, Self.reason).status == .seeOther)
            let unseen = Self.hidden(of: asking, key: "third").filter { $0.0 != "version" }
            #expect(try await admin.post(rejection, unseen + Self.reason).status == .unprocessableContent)
            let again = try await admin.post(rejection, Self.hidden(of: asking, key: "other") + Self.reason)
            #expect(again.status == .conflict)
            #expect(again.text.contains("Nothing was saved"))
            #expect(again.text.contains("Rejected by Ada admin"))
            #expect(try await admin.get(rejection).location == "/dashboard/refunds/RF-000001")
            #expect(try await site.count("refund_requests") == 1)
        }
    }

    @Test("what is not there is 404, what everything was given back of is 409")
    func missing() async throws {
        try await Self.run { site, support, admin in
            for path in ["/dashboard/refunds/RF-999999", "/dashboard/orders/ORD-19990101-0001/refund"] {
                #expect(try await admin.get(path).status == .notFound)
            }
            _ = try await Self.send(support, Self.form, [("kind", "full")] + Self.reason)
            #expect(try await support.get(Self.form).status == .conflict)
            let other = "00000000-0000-7000-8000-00000000000f"
            _ = try await site.pool.query("UPDATE refund_requests SET number = 'RF-000009' WHERE id <> \(other)::uuid")
            #expect(try await admin.get("/dashboard/refunds/RF-000001").status == .notFound)
        }
    }

    private static func run(
        _ body: @escaping @Sendable (TestSite, Browser, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.support, .admin)
            try await site.addOrders(3)
            try await site.app.test(.router) { client async throws in
                let (support, admin) = (Browser(client), Browser(client))
                _ = try await support.signIn("support@example.com")
                _ = try await admin.signIn("admin@example.com")
                for browser in [support, admin] {
                    _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                }
                try await body(site, support, admin)
            }
        }
    }

    /// Opens the form's page and sends the form with its hidden fields.
    private static func send(
        _ browser: Browser,
        _ path: String,
        _ fields: [(String, String)],
        from page: String? = nil
    ) async throws -> TestResponse {
        try await browser.post(path, hidden(of: try await browser.get(page ?? path).text) + fields)
    }

    private static func hidden(of page: String, key: String? = nil) -> [(String, String)] {
        let main = page.range(of: "<main").map { page[$0.lowerBound...] } ?? page[...]
        return main.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map { match in
            (String(match.1), match.1 == "key" ? key ?? String(match.2) : String(match.2))
        }
    }
}
