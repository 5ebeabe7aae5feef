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

@Suite("The search box") struct FindRouteTests {
    @Test("what one thing alone is called leads to it, with the search as the way back")
    func exact() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            try await CustomersTests.addSubscription(site)
            let cases = [
                (" ord-20260101-0007 ", "/dashboard/orders/ORD-20260101-0007"),
                ("T7", "/dashboard/orders/ORD-20260101-0007"),
                ("T1", "/dashboard/orders/ORD-20260101-0001"),
                ("ZEYNEP@example.com", "/dashboard/customers/\(TestSite.customer)"),
                ("token-1", "/dashboard/customers/\(TestSite.customer)"),
                (TestSite.notificationID.uppercased(), "/dashboard/notifications/\(TestSite.notificationID)"),
                ("n-1", "/dashboard/notifications/\(TestSite.notificationID)"),
            ]
            for (text, page) in cases {
                let answer = try await browser.get("/dashboard/find?q=\(DashboardPath.encoded(text))")
                #expect(
                    answer.status == .seeOther
                        && answer.location?.hasPrefix("\(page)?from=%2Fdashboard%2Ffind") == true,
                    "\(text)"
                )
                #expect(try await browser.get(answer.location ?? "").status == .ok)
            }
        }
    }

    @Test("what several things have is a page of groups, whose rest is the list with that search")
    func groups() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let page = try await browser.get("/dashboard/find?q=zeynep")
            #expect(page.status == .ok && page.text.contains("Found 1 customer, more than 5 orders"))
            #expect(page.text.contains("href=\"/dashboard/orders?q=zeynep\""))
            #expect(!page.text.contains("href=\"/dashboard/customers?q=zeynep\""))
            #expect(try await browser.get("/dashboard/find").text.contains("What are you looking for?"))
            let nothing = try await browser.get("/dashboard/find?q=%3Cb%3E")
            #expect(
                nothing.text.contains("No results for “&lt;b&gt;”")
                    && nothing.text.contains("Type three or more") == false
            )
            #expect(try await browser.get("/dashboard/find?q=x").text.contains("Type three or more"))
        }
    }

    @Test("a hit in another app says so, and opening it opens that app first")
    func otherApp() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            let page = try await browser.get("/dashboard/find?q=ORD-20260101-0007")
            #expect(page.status == .ok && page.text.contains("opens Readmigo"))
            #expect(page.text.contains("name=\"return_to\" value=\"/dashboard/orders/ORD-20260101-0007\""))
            let opened = try await browser.submit(
                "/dashboard/app",
                [("app", "readmigo"), ("return_to", "/dashboard/orders/ORD-20260101-0007")]
            )
            #expect(opened.location == "/dashboard/orders/ORD-20260101-0007")
            #expect(try await browser.get("/dashboard/orders/ORD-20260101-0007").status == .ok)
            let elsewhere = try await browser.submit(
                "/dashboard/app",
                [("app", "readmigo"), ("return_to", "https://example.com/")]
            )
            #expect(elsewhere.location == "/dashboard/orders")
        }
    }

    @Test("an analyst finds ids and nobody's name or address")
    func analyst() async throws {
        try await CustomersTests.signedIn(.analyst) { site, browser async throws in
            for text in ["zeynep", "Zeynep%20Y%C4%B1lmaz", "zeynep%40example.com", "example"] {
                let page = try await browser.get("/dashboard/find?q=\(text)")
                #expect(page.status == .ok && page.text.contains("No results for"), "\(text)")
            }
            let page = try await browser.get("/dashboard/find?q=20260101")
            for secret in TestSite.personalData { #expect(!page.text.contains(secret)) }
            #expect(try await browser.get("/dashboard/find?q=token-1").status == .seeOther)
        }
    }
}
