import APITypes
import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("External purchases, as pages") struct ExternalPurchasePagesTests {
    private static let path = "/dashboard/external-purchases"
    private static let one = "\(path)/\(TestSite.externalPurchase)"
    private static let told = "1767398400000"

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.addExternalPurchases()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("the list says what is due, and each part of it is a list of its own")
    func list() async throws {
        try await run(.admin) { _, browser in
            let all = try await browser.get(Self.path)
            #expect(all.status == .ok)
            #expect(all.text.contains("x&lt;1&gt;") && all.text.contains("x2") && all.text.contains("SANDBOX_3"))
            #expect(all.text.contains("<a href=\"\(Self.one)/reports/new"))
            #expect(!all.text.contains("0000000000c7/reports/new"))
            let due = try await browser.get("\(Self.path)?show=due").text
            #expect(due.contains("x&lt;1&gt;") && due.contains("x2") && !due.contains("SANDBOX_3"))
            let reminded = try await browser.get("\(Self.path)?show=reminded").text
            #expect(reminded.contains("x2") && !reminded.contains("x&lt;1&gt;"))
        }
    }

    @Test("support sees them and may not mark them")
    func support() async throws {
        try await run(.support) { _, browser in
            let page = try await browser.get(Self.path)
            #expect(page.status == .ok && !page.text.contains("/reports/new"))
            #expect(try await browser.get("\(Self.one)/reports/new").status == .forbidden)
        }
    }

    @Test("marking one as reported takes a reason, is in the audit log, and happens once")
    func report() async throws {
        try await run(.admin) { site, browser in
            #expect(try await browser.get("\(Self.one)/reports/new").status == .ok)
            let without = try await browser.submit("\(Self.one)/reports", [("told", Self.told), ("key", "a")])
            #expect(without.status == .unprocessableContent)
            let reason = [("category", "other"), ("reason", "Reported in the console.")]
            let stale = try await browser.submit("\(Self.one)/reports", [("told", "1"), ("key", "b")] + reason)
            #expect(stale.status == .conflict)
            let done = try await browser.submit("\(Self.one)/reports", [("told", Self.told), ("key", "c")] + reason)
            #expect(done.status == .seeOther)
            #expect(try await site.audit().filter { $0 == "external_purchase.report" }.count == 1)
            let due = try await browser.get("\(Self.path)?show=due").text
            #expect(!due.contains("x&lt;1&gt;"))
            let again = try await browser.submit("\(Self.one)/reports", [("told", Self.told), ("key", "d")] + reason)
            #expect(again.status == .conflict)
            #expect(try await browser.get("\(Self.one)/reports/new").status == .seeOther)
        }
    }

    @Test(
        "a form that is not whole says so and changes nothing",
        arguments: ["", "1.5", "9223372036854775808", "x", String(repeating: "9", count: 100_000)]
    )
    func wrongForm(_ told: String) async throws {
        try await run(.admin) { site, browser in
            let fields = [("told", told), ("key", "a"), ("category", "other"), ("reason", "Reported in the console.")]
            let status = try await browser.submit("\(Self.one)/reports", fields).status
            #expect([400, 413, 422].contains(status.code), "\(status)")
            #expect(try await site.audit().filter { $0 == "external_purchase.report" } == [])
        }
    }

    @Test("a date that is far away is another one than the token's", arguments: ["-9223372036854775808", "0"])
    func farDate(_ told: String) async throws {
        try await run(.admin) { _, browser in
            let fields = [("told", told), ("key", "a"), ("category", "other"), ("reason", "Reported in the console.")]
            let status = try await browser.submit("\(Self.one)/reports", fields).status
            #expect(status == .conflict)
        }
    }

    @Test("programs read the same")
    func api() async throws {
        try await Programs.run(
            { try await $0.addExternalPurchases() },
            { _, programs in
                let answer = try await programs.get("/admin/external-purchases?show=due")
                let page = try Programs.decode(ExternalPurchasePage.self, answer)
                #expect(page.externalPurchases.map(\.externalPurchaseId) == ["x<1>", "x2"])
                let one = try #require(page.externalPurchases.first)
                #expect((one.source, one.environment, one.state) == ("APPLE_IAP", "PRODUCTION", "UNREPORTED"))
                #expect(one.isDue && one.reportedAt == nil && page.next == nil)
                for query in ["after=x", "show=x", "show="] {
                    let status = try await programs.get("/admin/external-purchases?\(query)").status.code
                    #expect([400, 422].contains(status), "\(query)")
                }
            }
        )
    }
}
