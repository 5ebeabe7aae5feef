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

@Suite("The dashboard's routes") struct DashboardTests {
    @Test("orders, an order, notifications and a notification are there")
    func pages() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            #expect(try await browser.get("/").location == "/dashboard")
            #expect(try await browser.get("/dashboard").location == "/dashboard/orders")
            let list = try await browser.get("/dashboard/orders")
            #expect(list.text.contains("ORD-20260101-0030"))
            #expect(list.text.contains("Zeynep Yılmaz"))
            let order = try await browser.get("/dashboard/orders/ORD-20260101-0030")
            #expect(order.status == .ok)
            #expect(order.text.contains("zeynep@example.com"))
            #expect(try await browser.get("/dashboard/notifications").text.contains("DID_RENEW"))
            let notification = try await browser.get("/dashboard/notifications/\(TestSite.notificationID)")
            #expect(notification.status == .ok)
            #expect(notification.text.contains("it broke"))
            #expect(notification.text.contains("payload-of-zenep") || notification.text.contains("eyJzZWNyZXQi"))
        }
    }

    @Test("an analyst sees the same lists without names, addresses or payloads")
    func analyst() async throws {
        try await Self.signedIn(.analyst) { site, browser async throws in
            let paths = [
                "/dashboard/orders", "/dashboard/orders/ORD-20260101-0030", "/dashboard/notifications",
                "/dashboard/notifications/\(TestSite.notificationID)", "/dashboard/orders?q=zeynep",
                "/dashboard/orders?customer=\(TestSite.customer)",
            ]
            for path in paths {
                let page = try await browser.get(path)
                #expect(page.status == .ok, "\(path)")
                let secrets = TestSite.personalData + ["payload-of-zenep", "eyJzZWNyZXQi"]
                for secret in secrets {
                    #expect(!page.text.contains(secret), "\(secret) in \(path)")
                }
            }
            #expect(!(try await browser.get("/dashboard/orders?q=zeynep").text.contains("ORD-20260101")))
        }
    }

    @Test("a whole order number or transaction id leads to that order, and back")
    func exactHit() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            for search in ["ORD-20260101-0007", "%20T7%20"] {
                let location = try #require(try await browser.get("/dashboard/orders?q=\(search)").location)
                #expect(location.hasPrefix("/dashboard/orders/ORD-20260101-0007?from=%2Fdashboard%2Forders%3Fq%3D"))
                #expect(try await browser.get(location).status == .ok)
            }
        }
    }

    @Test("an order of another app is not found, and neither is one that is not there")
    func otherApp() async throws {
        try await Self.signedIn(.admin) { site, browser async throws in
            #expect(try await browser.get("/dashboard/orders/ORD-20260101-9999").status == .notFound)
            #expect(try await browser.get("/dashboard/notifications/no-uuid").status == .notFound)
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            #expect(try await browser.get("/dashboard/orders/ORD-20260101-0001").status == .notFound)
            let notification = "/dashboard/notifications/\(TestSite.notificationID)"
            #expect(try await browser.get(notification).status == .notFound)
        }
    }

    @Test("an error page of somebody who is signed in keeps the frame and names the request")
    func errorPage() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            let page = try await browser.get("/dashboard/orders/ORD-1", headers: [.requestID: "my-request.7"])
            #expect(page.status == .notFound)
            #expect(page.headers[.requestID] == "my-request.7")
            #expect(page.text.contains("my-request.7"))
            #expect(page.text.contains("Ada support"))
        }
    }

    @Test("an address without a route keeps the frame too, for who is signed in")
    func unknownAddress() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            for path in ["/dashboard/nowhere", "/dashboard/sign-out"] {
                let page = try await browser.get(path)
                #expect([404, 405].contains(page.status.code))
                #expect(page.text.contains("Ada support"), "\(path)")
            }
            browser.cookies = [:]
            #expect(!(try await browser.get("/dashboard/nowhere").text.contains("Ada")))
        }
    }

    @Test("without any app there is a page that says what to do, not a crash")
    func noApp() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            _ = try await site.pool.query("DELETE FROM apps")
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                #expect(try await browser.get("/dashboard/orders").status == .serviceUnavailable)
            }
        }
    }

    /// Runs a test as a person with a role who looks at the app with thirty orders.
    static func signedIn(
        _ role: StaffRole,
        _ body: @escaping @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(role)
            try await site.addOrders(30)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }
}
