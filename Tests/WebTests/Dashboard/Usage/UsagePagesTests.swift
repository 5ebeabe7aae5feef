import APITypes
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Usage on the desk") struct UsagePagesTests {
    private static let page = "/dashboard/customers/\(TestSite.customer)"
    private static let usage = "/admin/customers/\(TestSite.customer)/usage"
    private static let reason = [("category", "goodwill"), ("reason", "the service was down")]

    @Test("a customer's page has meters, and staff raise, restore and reset a limit from it")
    func desk() async throws {
        try await Self.visit { site, browser in
            let shown = try await browser.get(Self.page)
            #expect(shown.text.contains("4 of 5 used"))
            #expect(shown.text.contains("<meter min=\"0\" max=\"5\" value=\"4\""))
            #expect(shown.text.contains("Over the limit") == false)
            #expect(shown.text.contains("\(Self.page)/limit-raises/new"))
            let fields = [("of", "ai:day"), ("increase", "7"), ("until", ""), ("key", "a")] + Self.reason
            let form = "\(Self.page)/limit-raises/new"
            let raised = try await browser.submit("\(Self.page)/limit-raises", fields, from: form)
            #expect(raised.status == .seeOther && raised.location == Self.page)
            let after = try await browser.get(Self.page)
            #expect(after.text.contains("4 of 12 used") && after.text.contains("Limit raised by 7"))
            #expect(after.text.contains("Raised the limit of ai (Day) to 12"))
            let target = [("of", "ai:day")] + Self.reason
            for (action, shown) in [("usage-resets", "0 of 12 used"), ("limit-restorations", "0 of 5 used")] {
                let done = try await browser.submit(
                    "\(Self.page)/\(action)",
                    target + [("key", action)],
                    from: "\(Self.page)/\(action)/new"
                )
                #expect(done.status == .seeOther)
                #expect(try await browser.get(Self.page).text.contains(shown))
            }
            let audit = try await site.audit().filter { $0.hasPrefix("usage.") }
            #expect(Set(audit) == ["usage.raise_limit", "usage.reset", "usage.restore_limit"])
        }
    }

    @Test(
        "what cannot be raised is said by its field, and changes nothing",
        arguments: [
            ("", "7", ""), ("ai", "7", ""), ("ai:year", "7", ""), ("dreams:day", "7", ""), ("ai:month", "7", ""),
            ("ai:day", "", ""), ("ai:day", "0", ""), ("ai:day", "-9223372036854775808", ""),
            ("ai:day", "10000000000000000000", ""), ("ai:day", "1.5", ""), ("ai:day", "7", "x"),
            ("ai:day", "7", "2020-01-01"), ("ai:day", "7", "9999-12-31"), ("\u{0}", "7", ""),
        ]
    )
    func refused(of: String, increase: String, until: String) async throws {
        try await Self.visit { site, browser in
            let answer = try await browser.submit(
                "\(Self.page)/limit-raises",
                [("of", of), ("increase", increase), ("until", until), ("key", "a")] + Self.reason,
                from: "\(Self.page)/limit-raises/new"
            )
            #expect(answer.status == .unprocessableContent || answer.status == .badRequest)
            #expect(try await site.count("usage_counters WHERE day_increase IS NOT NULL") == 0)
            #expect(try await site.count("audit_entries WHERE action LIKE 'usage.%'") == 0)
        }
    }

    @Test("programs see the same figures and do the same; analysts look on")
    func api() async throws {
        try await Self.run { _, programs in
            func window() async throws -> CustomerUsageReport.Window {
                let report = try Programs.decode(CustomerUsageReport.self, try await programs.get(Self.usage))
                return try #require(report.features.first { $0.feature == "ai" }?.windows.first)
            }
            #expect(try await window().used == 4)
            #expect(try await window().limit == 5)
            let why = "\"category\":\"goodwill\",\"reason\":\"the service was down\""
            let target = "\"feature\":\"ai\",\"window\":\"day\""
            let body = "{\(target),\(why),\"amount\":10,\"until\":\"2026-12-01T00:00:00Z\"}"
            for _ in 0..<2 {
                let raised = try await programs.post("\(Self.usage)/raise-limit", body, "k1")
                #expect(raised.status == .ok)
            }
            #expect(try await window().limit == 15)
            #expect(try await window().increase == 10)
            let reset = try await programs.post("\(Self.usage)/reset", "{\(target),\(why)}", "k2")
            #expect(try Programs.decode(UsageChange.self, reset).usage.features.first?.windows.first?.used == 0)
            #expect(try await programs.post("\(Self.usage)/restore-limit", "{\(target),\(why)}", "k3").status == .ok)
            #expect(try await window().limit == 5)
            #expect(
                try await programs.post("\(Self.usage)/restore-limit", "{\(target),\(why)}", "k4").status == .conflict
            )
            let analyst = try await programs.post("\(Self.usage)/reset", "{\(target),\(why)}", "k5", as: .analyst)
            #expect(analyst.status == .forbidden)
            #expect(try await programs.get(Self.usage, as: .analyst).status == .ok)
            for (wrong, field) in [
                ("\"feature\":\"\",\"window\":\"day\",\"amount\":1", "feature"),
                ("\"feature\":\"ai\",\"window\":\"year\",\"amount\":1", "window"),
                ("\(target)", "amount"), ("\(target),\"amount\":0", "amount"), ("\(target),\"amount\":1.5", "amount"),
                ("\(target),\"amount\":10000000000000000000", "amount"),
                ("\(target),\"amount\":1,\"until\":\"x\"", "until"),
            ] {
                let answer = try await programs.post("\(Self.usage)/raise-limit", "{\(wrong),\(why)}", "k6")
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields().contains(field), "\(wrong)")
            }
        }
    }

    private static func visit(_ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addOrders(1)
            try await site.pool.withConnection { try await $0.execute(script: features) }
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    /// Runs a test on a site whose customer has used 4 of 5 uses of `ai` today.
    private static func run(_ body: @escaping @Sendable (TestSite, Programs) async throws -> Void) async throws {
        try await Programs.run(
            { site in
                try await site.addOrders(1)
                try await site.pool.withConnection { try await $0.execute(script: features) }
            },
            body
        )
    }

    private static let features = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), id, 'ai', 'ai', '{}', 0
        FROM apps
        WHERE slug = 'readmigo';
        INSERT INTO plans (id, app_id, code, name, rank)
        SELECT gen_random_uuid(), id, 'FREE', 'Free', 0
        FROM apps
        WHERE slug = 'readmigo'
        ON CONFLICT DO NOTHING;
        INSERT INTO plan_features (plan_id, feature_id, per_day)
        SELECT p.id, f.id, 5
        FROM plans p
        JOIN features f USING (app_id)
        WHERE f.code = 'ai';
        INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
        SELECT '\(TestSite.customer)', id, '2026-11-21', 4, '2026-11-01', 4, 4
        FROM features
        WHERE code = 'ai';
        """
}
