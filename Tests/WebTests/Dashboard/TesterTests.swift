import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Testers on the desk") struct TesterTests {
    private static let page = "/dashboard/customers/\(TestSite.customer)"

    private func run(
        as role: StaffRole,
        _ body: @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin, .support, .analyst)
            try await site.addOrders(1)
            try await site.app.test(.live) { client in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Sendable private static func sell(_ site: TestSite) async throws { try await site.addOrders(1) }

    private func since(_ site: TestSite) async throws -> Date? {
        try await site.pool.query(
            "SELECT tester_since FROM customers WHERE id = \(UUID(uuidString: TestSite.customer))"
        )
        .first?.decode(0, as: Date?.self) ?? nil
    }

    @Test(
        "an admin marks a customer with a reason, once however often it is sent, and takes the mark away; both are in the log"
    )
    func marked() async throws {
        try await run(as: .admin) { site, browser in
            #expect(try await browser.get(Self.page).text.contains("not a tester"))
            let form = try await browser.get(Self.page + "/tester")
            #expect(form.text.contains("Mark this customer as a tester?"))
            let key = try #require(form.text.firstMatch(of: /name="key" value="([^"]+)"/)).output.1
            let why = [("category", "testing"), ("reason", "Tries the app for us.")]
            let sent = [("key", String(key)), ("tester", "yes")] + why
            let unexplained = try await browser.submit(
                Self.page + "/tester",
                [("key", String(key)), ("tester", "yes")]
            )
            #expect(unexplained.status == .unprocessableContent)
            for _ in 0..<2 {
                #expect(try await browser.submit(Self.page + "/tester", sent).location == Self.page)
            }
            let moment = try await since(site)
            #expect(moment != nil)
            let other = [("key", UUID().uuidString.lowercased()), ("tester", "yes")] + why
            #expect(try await browser.submit(Self.page + "/tester", other).status == .conflict)
            #expect(try await since(site) == moment)
            #expect(try await browser.get(Self.page + "/tester").text.contains("Take the tester mark away?"))
            let back = [("key", UUID().uuidString.lowercased()), ("tester", "no")] + why
            #expect(try await browser.submit(Self.page + "/tester", back).location == Self.page)
            #expect(try await since(site) == nil)
            let actions = try await site.audit().filter { $0.contains("tester") }
            #expect(actions == ["customer.mark_tester", "customer.unmark_tester"])
            for value in ["maybe", ""] {
                let odd = [("key", UUID().uuidString.lowercased()), ("tester", value)] + why
                #expect(try await browser.submit(Self.page + "/tester", odd).status == .unprocessableContent)
            }
        }
    }

    @Test("support and analysts see it, and may not change it")
    func others() async throws {
        for role in [StaffRole.support, .analyst] {
            try await run(as: role) { site, browser in
                let page = try await browser.get(Self.page).text
                #expect(page.contains("not a tester") && !page.contains(Self.page + "/tester"))
                #expect(try await browser.get(Self.page + "/tester").status == .forbidden)
                let sent = [
                    ("key", UUID().uuidString.lowercased()), ("tester", "yes"), ("category", "testing"),
                    ("reason", "x"),
                ]
                #expect(try await browser.submit(Self.page + "/tester", sent).status == .forbidden)
                #expect(try await since(site) == nil)
            }
        }
    }

    @Test("the admin API says since when, where one customer is shown")
    func answer() async throws {
        try await Programs.run(Self.sell) { _, programs in
            let path = "/admin/customers/\(TestSite.customer)"
            #expect(try await !programs.get(path).text.contains("testerSince"))
            let marked = try await programs.send(
                programs.tokens[.admin] ?? "",
                .put,
                path + "/tester",
                #"{"tester":true}"#,
                nil
            )
            #expect(marked.status == .ok)
            #expect(try await programs.get(path).text.contains("\"testerSince\":\"20"))
        }
    }
}
