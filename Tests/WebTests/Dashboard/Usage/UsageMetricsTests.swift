import APITypes
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Usage by feature on pages, in files and in the API") struct UsageMetricsTests {
    @Test("the overview, the page, its file and the API say the same")
    func equal() async throws {
        try await Self.visit { _, browser, programs in
            let overview = try await browser.get("/dashboard")
            #expect(overview.text.contains("id=\"usage\"") && overview.text.contains("AI words"))
            #expect(overview.text.contains("19 units"))
            let page = try await browser.get("/dashboard/usage")
            #expect(page.status == .ok && page.text.contains("19 units"))
            let one = try await browser.get("/dashboard/usage?feature=ai&from=2026-11-21&to=2026-11-21")
            #expect(one.text.contains("Usage of AI words") && one.text.contains("7 units"))
            let file = try await browser.get("/dashboard/usage/table.csv?from=2026-11-19&to=2026-11-21")
            #expect(
                file.text.split(whereSeparator: \.isNewline).dropFirst().map(String.init) == [
                    #"2026-11-20,2026-11-20,no,"ai",10,4"#, #"2026-11-21,2026-11-21,yes,"ai",7,0"#,
                    #"2026-11-21,2026-11-21,yes,"chat",2,0"#,
                ]
            )
            let told = try await programs.get("/admin/metrics/usage?grain=day&from=2026-11-19&to=2026-11-21")
            let report = try Programs.decode(UsageReport.self, told)
            #expect(
                report.rows.map { "\($0.from) \($0.to) \($0.isPartial) \($0.feature) \($0.units) \($0.offline)" } == [
                    "2026-11-20 2026-11-20 false ai 10 4", "2026-11-21 2026-11-21 true ai 7 0",
                    "2026-11-21 2026-11-21 true chat 2 0",
                ]
            )
            let month = try await programs.get("/admin/metrics/usage?feature=ai&from=2026-11-01")
            #expect(try Programs.decode(UsageReport.self, month).rows.map(\.units) == [17])
        }
    }

    @Test("who is near a limit stands on the overview, on a page of its own and in the API, and leaves with a raise")
    func near() async throws {
        try await Self.visit { site, browser, programs in
            let overview = try await browser.get("/dashboard")
            #expect(overview.text.contains("<a href=\"/dashboard/near-limits\">1 limit is at 80% or more</a>"))
            let page = try await browser.get("/dashboard/near-limits")
            #expect(page.text.contains("7 of 8 used") && page.text.contains("AI words"))
            #expect(
                try await browser.get("/dashboard/near-limits?feature=chat").text.contains("No customers near a limit")
            )
            let answer = try await programs.get("/admin/near-limits")
            let found = try #require(try Programs.decode(NearLimitPage.self, answer).limits.first)
            #expect(found.customerId.uuidString.lowercased() == TestSite.customer.description.lowercased())
            #expect((found.feature, found.window, found.used, found.limit) == ("ai", "day", 7, 8))
            #expect(found.name != nil || found.email != nil)
            let analysts = try await programs.get("/admin/near-limits?feature=ai", as: .analyst)
            let hidden = try #require(try Programs.decode(NearLimitPage.self, analysts).limits.first)
            #expect(hidden.name == nil && hidden.email == nil)
            _ = try await site.pool.query("UPDATE usage_counters SET day_increase = 10")
            #expect(try await browser.get("/dashboard/near-limits").text.contains("No customers near a limit"))
            #expect(try await browser.get("/dashboard").text.contains("80% or more") == false)
        }
    }

    @Test(
        "what is no page or feature of the list is named by the API",
        arguments: [("after=x", "after"), ("feature=", "feature"), ("colour=red", "colour")]
    )
    func unlisted(query: String, field: String) async throws {
        try await Self.ask { programs in
            let answer = try await programs.get("/admin/near-limits?\(query)")
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields().contains(field))
        }
    }

    @Test("an app without features has no chart on its overview, and nothing used says so")
    func none() async throws {
        try await DashboardTests.signedIn(.admin) { _, browser async throws in
            #expect(try await browser.get("/dashboard").text.contains("id=\"usage\"") == false)
            #expect(try await browser.get("/dashboard/usage").text.contains("No usage in this period"))
        }
    }

    @Test(
        "what is no feature, grain or day is named by the API",
        arguments: [
            ("feature=", "feature"), ("grain=age", "grain"), ("from=yesterday", "from"),
            ("from=2026-11-02&to=2026-11-01", "from"),
            ("to=9999-12-31", "to"), ("colour=red", "colour"),
            ("feature=\(String(repeating: "a", count: 65))", "feature"),
        ]
    )
    func refused(query: String, field: String) async throws {
        try await Self.ask { programs in
            let answer = try await programs.get("/admin/metrics/usage?\(query)")
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields().contains(field))
        }
    }

    private static func ask(_ body: @escaping @Sendable (Programs) async throws -> Void) async throws {
        try await Programs.run({ _ in }, { _, programs in try await body(programs) })
    }

    private static func visit(
        _ body: @escaping @Sendable (TestSite, Browser, Programs) async throws -> Void
    ) async throws {
        try await Programs.run(
            { site in
                try await site.addOrders(1)
                try await site.pool.withConnection { try await $0.execute(script: usage) }
            },
            { site, programs in
                let browser = Browser(programs.client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser, programs)
            }
        )
    }

    /// Inserts usage: 7 `ai` of 8 and 2 `chat` of 80 today, and 10 `ai` yesterday, of which 4 were reported later.
    private static let usage = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), a.id, f.code, f.name, '{}', f.position
        FROM apps a, (VALUES ('ai', 'AI words', 0), ('chat', 'Chat', 1), ('dreams', 'Dreams', 2)) AS f (code, name, position)
        WHERE a.slug = 'readmigo';
        INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
        SELECT '\(TestSite.customer)', id, '2026-11-21', 7, '2026-11-01', 17, 17
        FROM features
        WHERE code IN ('ai', 'chat');
        INSERT INTO plans (id, app_id, code, name, rank)
        SELECT gen_random_uuid(), id, 'FREE', 'Free', 0
        FROM apps
        WHERE slug = 'readmigo'
        ON CONFLICT DO NOTHING;
        INSERT INTO plan_features (plan_id, feature_id, per_day)
        SELECT p.id, f.id, CASE f.code WHEN 'ai' THEN 8 ELSE 80 END
        FROM plans p
        JOIN features f USING (app_id)
        WHERE f.code IN ('ai', 'chat');
        UPDATE usage_counters SET near_limit_until = '2026-11-21';
        INSERT INTO usage_days (customer_id, feature_id, day, used, offline)
        SELECT '\(TestSite.customer)', f.id, d.day, d.used, d.offline
        FROM features f
        JOIN (VALUES ('ai', '2026-11-21'::date, 7, 0), ('ai', '2026-11-20', 6, 4), ('chat', '2026-11-21', 2, 0))
            AS d (code, day, used, offline) USING (code);
        """
}
