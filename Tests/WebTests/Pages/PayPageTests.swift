import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import HTTP

@Suite("The page of an order to pay") struct PayPageTests {
    private static let path = "/api/v1/subscription/orders"

    @Test("shows the code, the time that is left and what is paid for, and nothing of the customer")
    func code() async throws {
        try await PayShop.run { calls in
            let number = try await order("wechat_native", calls)
            let page = try await calls.ask(.get, "/pay/\(number)")
            #expect(page.status == .ok)
            let text = String(decoding: page.body, as: UTF8.self)
            #expect(text.contains("<svg class=\"qr\" role=\"img\""))
            #expect(text.contains("18.00 CNY") && text.contains(number) && text.contains("data-state=\"open\""))
            #expect(text.contains("data-left=\"900\">15:00<"))
            #expect(text.contains("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"))
            #expect(!text.contains("nobody") && !text.contains("data:"))
            #expect(page.headers[.cacheControl] == "no-store")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("form-action 'self';") && policy.contains("connect-src 'self'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(page.headers[values: .contentSecurityPolicy].count == 1)
        }
    }

    @Test(
        "speaks the browser's language",
        arguments: [("zh-Hans", "扫码支付"), ("tr", "kodu okutun"), ("en", "Scan to pay")]
    )
    func languages(_ language: String, _ words: String) async throws {
        try await PayShop.run { calls in
            let number = try await order("wechat_native", calls)
            let page = try await calls.ask(.get, "/pay/\(number)", language: language)
            #expect(String(decoding: page.body, as: UTF8.self).contains(words))
        }
    }

    @Test("leads on to the store by a link or a form, and back to a page of the app's alone")
    func ways() async throws {
        try await PayShop.run { calls in
            try await PayShop.connectAlipay(calls.site)
            let linked = try await calls.ask(
                .get,
                "/pay/\(try await order("wechat_h5", calls, returning: "https://shop.example/thanks"))"
            )
            let link = String(decoding: linked.body, as: UTF8.self)
            #expect(link.contains("href=\"https://pay.example/go?order="))
            #expect(link.contains("referrerpolicy=\"origin\"") && link.contains("href=\"https://shop.example/thanks\""))
            let posted = try await calls.ask(
                .get,
                "/pay/\(try await order("alipay_page", calls, returning: "https://shop.example.evil.test/"))"
            )
            let form = String(decoding: posted.body, as: UTF8.self)
            #expect(form.contains("action=\"https://pay.example/gateway.do?charset=utf-8\""))
            #expect(form.contains("name=\"biz_content\" value=\"{&quot;subject&quot;:&quot;&lt;Pro&gt; &amp; "))
            #expect(form.contains("Pro 😀 &lt;b&gt;"))
            #expect(!form.contains("evil.test"))
            #expect(posted.headers[.contentSecurityPolicy]?.contains("form-action 'self' https:;") == true)
            let inApp = try await calls.ask(.get, "/pay/\(try await order("alipay_app", calls))")
            #expect(String(decoding: inApp.body, as: UTF8.self).contains("Pay in the app"))
        }
    }

    @Test("tells of success, of the end of its time, and of failure; whoever waits is told at once")
    func ends() async throws {
        try await PayShop.run { calls in
            let number = try await order("wechat_native", calls)
            async let waiting = calls.ask(.get, "/pay/\(number)?wait=25&state=open")
            let payment = StorePayment(
                number: number,
                transactionID: "wx-1",
                amount: Money(minorUnits: 1_800, currency: try #require(Currency("CNY"))),
                paidAt: calls.site.backOffice.database.now
            )
            #expect(try await calls.site.backOffice.settle(payment, at: .wechat, of: TestSite.readmigoID) == .settled)
            let paid = String(decoding: try await waiting.body, as: UTF8.self)
            #expect(paid.contains("<h1>Paid</h1>") && !paid.contains("data-state") && !paid.contains("http-equiv"))
            for (state, reason, heading) in [
                ("closing", "'expired'", "The time is over"), ("closed", "'expired'", "The time is over"),
                ("closed", "'replaced'", "There is a newer order"), ("closed", "'refused'", "The payment did not work"),
                ("opening", "NULL", "One moment"),
            ] {
                try await calls.site.pool.withConnection { connection in
                    try await connection.execute(
                        script: """
                            UPDATE checkouts
                            SET state = '\(state)', close_reason = \(reason), closed_at = \(state == "closed" ? "now()" : "NULL"),
                                paid_at = NULL, transaction_id = NULL, settled_at = NULL
                            """
                    )
                }
                let page = try await calls.ask(.get, "/pay/\(number)")
                #expect(String(decoding: page.body, as: UTF8.self).contains("<h1>\(heading)</h1>"), "\(state)")
            }
        }
    }

    @Test(
        "of an order that nobody knows is a page, too",
        arguments: ["7K3MQ9ZD2XVA7K3MQ9ZD2XVA7K", "1", "%00", "%FF", "x%20y"]
    )
    func missing(_ number: String) async throws {
        try await PayShop.run { calls in
            let page = try await calls.ask(.get, "/pay/\(number)")
            #expect(page.status == .notFound)
            #expect(String(decoding: page.body, as: UTF8.self).contains("<h1>There is no such order</h1>"))
        }
    }

    private func order(_ method: String, _ calls: CustomerCalls, returning page: String? = nil) async throws -> String {
        let back = page.map { ", \"returnUrl\": \"\($0)\"" } ?? ""
        let address = method == "wechat_h5" ? ", \"clientAddress\": \"203.0.113.7\"" : ""
        let answer = try await calls.ask(
            .post,
            Self.path,
            token: try await calls.nobody(),
            body: "{\"product\": \"pro.month\", \"method\": \"\(method)\"\(back)\(address)}"
        )
        return try #require(try answer.object()["number"] as? String)
    }
}
