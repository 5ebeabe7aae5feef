import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("Promo codes, as pages") struct PromoCodesPagesTests {
    private static let path = "/dashboard/promo-codes"
    private static let reason = [("category", "fraud"), ("reason", "the codes were on a forum")]
    private static let typed = [
        ("name", "Fair <1>"), ("channel", "fair"), ("plan", "PRO"), ("days", "30"), ("codes", "3"),
        ("usesPerCode", "2"),
        ("usesPerCustomer", "1"), ("startsOn", ""), ("expiresOn", ""),
    ]
    private static let query = typed.map { "\($0)=\(DashboardPath.encoded($1))" }.joined(separator: "&")

    @Test("an admin sees what a batch comes to, makes it once, and takes its codes away")
    func make() async throws {
        try await Self.run { site, browser in
            #expect(try await browser.get(Self.path).text.contains("No promo codes"))
            let asked = try await browser.get("\(Self.path)/new?\(Self.query)")
            #expect(asked.status == .ok)
            #expect(asked.text.contains("Create 3 codes for Fair &lt;1&gt;?"))
            #expect(asked.text.contains("PRO for 30 days, 6 redemptions at most."))
            #expect(try await site.count("promo_batches") == 0)
            let form = "\(Self.path)/new?\(Self.query)"
            let made = try await browser.submit(Self.path, Self.typed + [("key", "a")], from: form)
            let page = try #require(made.location)
            #expect(page.hasPrefix("\(Self.path)/"))
            let again = try await browser.submit(Self.path, Self.typed + [("key", "a")], from: form)
            #expect(again.location == page)
            #expect(try await site.count("promo_batches") == 1)
            #expect(try await site.count("promo_codes") == 3)
            let list = try await browser.get(Self.path)
            #expect(list.text.contains("Fair &lt;1&gt;") && list.text.contains("PRO for 30 days"))
            let file = try await browser.get("\(page)/codes.csv")
            #expect(file.status == .ok)
            let lines = file.text.split(whereSeparator: \.isNewline)
            #expect(lines.count == 4)
            #expect(
                lines.dropFirst().allSatisfy {
                    $0.wholeMatch(of: /[1-3],"'?[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}",0,2,"Fair <1>","fair"/) != nil
                }
            )
            let written = try await site.audit().filter { $0.hasPrefix("promo_code.") }
            #expect(written == ["promo_code.make", "promo_code.export"])
        }
    }

    @Test("what is wrong with a form is said by its field, and what was typed stays")
    func refused() async throws {
        try await Self.run { site, browser in
            for (name, value) in [
                ("name", ""), ("name", String(repeating: "x", count: 101)), ("channel", ""), ("plan", "GOLD"),
                ("days", "0"),
                ("days", "1.5"), ("days", "10000000000000000000"), ("codes", "-9223372036854775808"),
                ("codes", "100001"),
                ("usesPerCode", "x"), ("usesPerCustomer", "101"), ("expiresOn", "2020-01-01"), ("startsOn", "soon"),
            ] {
                let fields = Self.typed.map { $0.0 == name ? ($0.0, value) : $0 }
                let query = fields.map { "\($0)=\(DashboardPath.encoded($1))" }.joined(separator: "&")
                let answer = try await browser.get("\(Self.path)/new?\(query)")
                #expect(answer.status == .unprocessableContent, "\(name) \(value.prefix(20))")
                #expect(answer.text.contains("href=\"#field-\(name)\""), "\(name) \(value.prefix(20))")
            }
            #expect(try await site.count("promo_batches") == 0)
        }
    }

    @Test("a batch is stopped with a reason, goes on with another, and a second stop is told")
    func stop() async throws {
        try await Self.run { site, browser in
            try await site.addPromoBatch()
            let one = "\(Self.path)/\(TestSite.promoBatch)"
            #expect(try await browser.get(one).text.contains("Stop codes"))
            let none = try await browser.submit("\(one)/stop", [("key", "a")], from: "\(one)/stop")
            #expect(none.status == .unprocessableContent)
            let stopped = try await browser.submit("\(one)/stop", Self.reason + [("key", "b")], from: "\(one)/stop")
            #expect(stopped.location == one)
            let page = try await browser.get(one)
            #expect(page.text.contains("Promo codes stopped.") && page.text.contains("Resume codes"))
            let twice = try await browser.submit("\(one)/stop", Self.reason + [("key", "c")], from: "\(one)/stop")
            #expect(twice.status == .conflict)
            let resumed = try await browser.submit("\(one)/resume", Self.reason + [("key", "d")], from: "\(one)/resume")
            #expect(resumed.location == one)
            let states = try await site.lines("SELECT coalesce(stopped_as, 'runs') FROM promo_batches")
            #expect(states == ["runs"])
        }
    }

    @Test("analysts see what came of a batch, and nobody who redeemed it", arguments: [StaffRole.analyst, .support])
    func roles(_ role: StaffRole) async throws {
        try await TestSite.run { site in
            try await site.addOrders(1)
            try await site.addPromoBatch()
            try await site.addStaff(role)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                let page = try await browser.get("\(Self.path)/\(TestSite.promoBatch)")
                #expect(page.status == .ok)
                #expect(page.text.contains("Conversion rate"))
                #expect(page.text.contains("id=\"redemptions\"") == (role == .support))
                #expect(!page.text.contains("/codes.csv") && !page.text.contains("Stop codes"))
            }
        }
    }

    private static func run(_ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addOrders(1)
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }
}
