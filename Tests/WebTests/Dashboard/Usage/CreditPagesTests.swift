import APITypes
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Credits on the desk and in the API") struct CreditPagesTests {
    @Test("a customer's page says what is left of each order and until when, and what is owed of a refunded one")
    func desk() async throws {
        try await TestSite.run { site in
            try await Self.fill(site)
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                let page = try await browser.get("/dashboard/customers/\(TestSite.customer)").text
                #expect(page.contains("<dt>Credits</dt><dd>60 left"))
                #expect(page.contains("10 of 10 from order ORD-20260101-0001, until "))
                #expect(page.contains("50 of 80 from order ORD-20260101-0002, no end date"))
                #expect(page.contains(" owed:") == false)
                _ = try await site.pool.query(
                    "UPDATE credit_buckets SET taken = granted, remaining = 0, owed = CASE WHEN granted = 80 THEN 30 ELSE 0 END"
                )
                let after = try await browser.get("/dashboard/customers/\(TestSite.customer)").text
                #expect(after.contains("<dt>Credits</dt><dd>0 left"))
                #expect(after.contains("30 owed: used before order ORD-20260101-0002 was refunded"))
            }
        }
    }

    @Test("a staff program reads the same")
    func program() async throws {
        try await Programs.run(Self.fill) { _, programs in
            let path = "/admin/customers/\(TestSite.customer)/usage"
            let report = try Programs.decode(CustomerUsageReport.self, try await programs.get(path))
            let credits = try #require(report.features.first?.credits)
            #expect((credits.left, credits.owed) == (60, 0))
            #expect(credits.buckets.map(\.left) == [10, 50])
            #expect(credits.buckets.map(\.granted) == [10, 80])
            #expect(credits.buckets.map(\.orderNumber) == ["ORD-20260101-0001", "ORD-20260101-0002"])
            #expect(credits.buckets.map { $0.expiresAt == nil } == [false, true])
        }
    }

    @Sendable private static func fill(_ site: TestSite) async throws {
        try await site.addOrders(2)
        try await site.pool.withConnection { try await $0.execute(script: credits) }
    }

    /// Of two orders 10 and 50 credits are left; those of the first end.
    private static let credits = """
        INSERT INTO features (id, app_id, code, name, names, position)
        SELECT gen_random_uuid(), id, 'ai', 'ai', '{}', 0
        FROM apps
        WHERE slug = 'readmigo';
        INSERT INTO product_credits (product_id, feature_id, amount)
        SELECT p.id, f.id, 80
        FROM features f
        JOIN products p USING (app_id)
        WHERE f.code = 'ai';
        INSERT INTO usage_counters (customer_id, feature_id, day, day_used, month, month_used, lifetime_used)
        SELECT '\(TestSite.customer)', id, '2026-11-21', 0, '2026-11-01', 0, 0
        FROM features
        WHERE code = 'ai';
        INSERT INTO credit_buckets (order_id, feature_id, customer_id, is_sandbox, granted, remaining, starts_at, expires_at)
        SELECT o.id, f.id, o.customer_id, false, x.granted, x.remaining, '2026-01-01', x.expires_at
        FROM (VALUES ('ORD-20260101-0001', 10, 10, '2100-01-01'::timestamptz), ('ORD-20260101-0002', 80, 50, NULL))
            AS x (number, granted, remaining, expires_at)
        JOIN orders o ON o.number = x.number
        JOIN features f ON f.app_id = o.app_id AND f.code = 'ai';
        """
}
