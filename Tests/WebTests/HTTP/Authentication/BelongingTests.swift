import APITypes
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

/// Checks addresses and bodies that name two things: the second belongs to the first, else nothing is done.
@Suite("What belongs to what") struct BelongingTests {
    private static let ada = AccessPagesTests.customer
    private static let bob = "00000000-0000-7000-8000-0000000000d2"
    /// A customer of kombin.
    private static let cem = "00000000-0000-7000-8000-0000000000d3"
    /// Ada's subscription.
    private static let subscription = "subscription:00000000-0000-7000-8000-0000000000e1"
    /// A note about Ada.
    private static let note = "00000000-0000-7000-8000-0000000000a9"

    @Test("no step for one customer touches an action, a grant, a subscription or a note of another, by API")
    func programs() async throws {
        try await Programs.run(Self.prepare) { site, programs in
            let (action, grant) = try await Self.given(site)
            let before = try await Self.everything(site)
            var bodies: [(step: String, fields: String)] = [("undo", #""action":"\#(action)""#)]
            for of in [Self.subscription, grant] {
                bodies += ["revoke", "restore", "cancel"].map { ($0, #""of":"\#(of)","confirmation":"0000d2""#) }
                bodies += [
                    ("extend", #""of":"\#(of)","days":3"#), ("change-tier", #""of":"\#(of)","planType":"PREMIUM""#),
                ]
            }
            bodies += [Self.ada, Self.bob, Self.cem].map {
                ("transfer", #""of":"\#(Self.subscription)","receiver":"\#($0)""#)
            }
            #expect(Set(bodies.map(\.step)) == Set(AccessAction.allCases.map(\.step)).subtracting(["grant"]))
            for (step, fields) in bodies {
                let body = #"{\#(fields),"category":"goodwill","reason":"The reader crashed all day."}"#
                let answer = try await programs.post(
                    "/admin/subscriptions/\(Self.bob)/\(step)",
                    body,
                    "\(step) \(fields)"
                )
                #expect(
                    [404, 409, 422].contains(answer.status.code),
                    "\(step) \(fields): \(answer.status) \(answer.text)"
                )
                #expect(answer.headers[.contentType] == "application/problem+json")
            }
            let foreign =
                #"{"of":"\#(Self.subscription)","receiver":"\#(Self.cem)","category":"goodwill","reason":"Long enough."}"#
            let moved = try await programs.post("/admin/subscriptions/\(Self.ada)/transfer", foreign, "t")
            #expect([404, 422].contains(moved.status.code), "\(moved.text)")
            let note = try await programs.delete("/admin/customers/\(Self.bob)/notes/\(Self.note)")
            #expect(note.status == .notFound)
            #expect(try await Self.everything(site) == before)

            let own = #"{"action":"\#(action)","category":"goodwill","reason":"The reader crashed all day."}"#
            #expect(try await programs.post("/admin/subscriptions/\(Self.ada)/undo", own, "u").status == .ok)
            #expect(try await programs.delete("/admin/customers/\(Self.ada)/notes/\(Self.note)").status == .noContent)
        }
    }

    @Test("nor by page: neither the question nor the form")
    func pages() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin, .support, .analyst)
            try await Self.prepare(site)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                let stranger = Browser(client)
                _ = try await stranger.signIn("support@example.com")
                let (action, grant) = try await Self.given(site)
                let before = try await Self.everything(site)
                let page = "/dashboard/customers/\(Self.bob)"
                for kind in AccessAction.allCases where kind != .grants {
                    for of in kind == .undoings ? [action] : [Self.subscription, grant] {
                        let command = [
                            ("of", of), ("days", "3"), ("plan", "PREMIUM"), ("receiver", Self.ada), ("step", "2"),
                            ("confirmation", "0000d2"), ("key", "\(kind) \(of)"),
                            // The undoing is of Ada's access: only the wrong customer may stand in its way.
                            ("version", try await Self.version(of: kind == .undoings ? Self.ada : Self.bob, site)),
                        ]
                        let form = command + AccessPagesTests.reason
                        let answer = try await browser.submit("\(page)/\(kind.rawValue)", form)
                        #expect([404, 409, 422].contains(answer.status.code), "\(kind) \(of): \(answer.status)")
                        let query = command.map { "\($0)=\(DashboardPath.encoded($1))" }.joined(separator: "&")
                        let question = try await browser.get("\(page)/\(kind.rawValue)/new?\(query)")
                        #expect(
                            [303, 404, 409, 422].contains(question.status.code),
                            "\(kind) \(of): \(question.status)"
                        )
                    }
                }
                for path in ["\(page)/notes/\(Self.note)/withdraw"] {
                    #expect(try await browser.get(path).status == .notFound)
                    #expect(try await browser.submit(path, []).status == .notFound)
                }
                let session = try await site.pool.query(
                    "SELECT x.id FROM staff_sessions x JOIN staff s ON s.id = x.staff_id WHERE s.role = 'support'"
                ).first?.decode(0, as: UUID.self)
                let ended = try await browser.submit(
                    "/dashboard/account/ended-sessions",
                    [("session", try #require(session).uuidString)]
                )
                #expect(ended.status == .seeOther && ended.location == "/dashboard/account")
                #expect(try await stranger.get("/dashboard/account").status == .ok)
                #expect(try await Self.everything(site) == before)
            }
        }
    }

    @Test("every route with two names in its address, and every body with an id, is among those asked above")
    func completeness() async throws {
        try await TestSite.run { site in
            let twice = site.map.entries.filter { $0.path.split(separator: "{").count > 2 }
            #expect(
                Set(twice.map { "\($0.method.rawValue) \($0.path)" }) == [
                    "GET /dashboard/customers/{id}/notes/{note}/withdraw",
                    "POST /dashboard/customers/{id}/notes/{note}/withdraw",
                    "DELETE /admin/customers/{id}/notes/{note}",
                    // The second is a word that names nobody's thing.
                    "GET /dashboard/stores/{store}/tests/{environment}", "GET /dashboard/stores/{store}/keys/{kind}",
                    "POST /dashboard/stores/{store}/keys/{kind}", "GET /dashboard/stores/{store}/keys/{kind}/removal",
                    "POST /dashboard/stores/{store}/keys/{kind}/removal",
                    // Calls of customers: UsageTests has them.
                    "POST /usage/{feature}/reservations/{id}/settle", "DELETE /usage/{feature}/reservations/{id}",
                    // The same by the app's own server: AppServerUsageTests has them.
                    "POST /customers/{externalId}/usage/{feature}",
                    "POST /customers/{externalId}/usage/{feature}/reservations",
                    "POST /customers/{externalId}/usage/{feature}/reservations/{id}/settle",
                    "DELETE /customers/{externalId}/usage/{feature}/reservations/{id}",
                    // AppServerSeatsTests has it.
                    "DELETE /customers/{externalId}/seats/{id}",
                    // Of a store and an app, and of nobody: PaymentWebhookTests has them.
                    "POST /webhooks/{store}/{app}", "GET /payment-returns/{store}/{app}",
                ]
            )
        }
    }

    // MARK: Rows

    /// Returns all rows that the refused requests could have changed, as text.
    private static func everything(_ site: TestSite) async throws -> [String] {
        var texts: [String] = []
        for table in [
            "subscriptions", "grants", "suspensions", "entitlement_actions", "customer_notes", "orders",
            "access_changes",
        ] {
            texts += try await site.pool.query(
                "SELECT coalesce(string_agg(t::text, ';' ORDER BY t::text), '') FROM \(unsafe: table) t"
            ).map { try $0.decode(0, as: String.self) }
        }
        return texts
    }

    private static func prepare(_ site: TestSite) async throws {
        try await site.pool.withConnection { connection in
            try await connection.execute(script: AccessPagesTests.rows)
            try await connection.execute(script: rows)
        }
        _ = try await site.backOffice.change(
            try #require(.init(ada)),
            of: try #require(.init(TestSite.readmigo)),
            .grant(plan: "PREMIUM", .days(7)),
            reason: Reason(.goodwill, "The reader crashed all day."),
            key: nil,
            version: nil,
            caller: .commandLine
        )
    }

    /// Returns the version that a form of this customer's page carries.
    private static func version(of customer: String, _ site: TestSite) async throws -> String {
        let (id, app) = (try #require(Customer.ID(customer)), try #require(App.ID(TestSite.readmigo)))
        let held = try await site.backOffice.database.readPrimary { try await $0.entitlementSources.of(id, app: app) }
        return String(try #require(held).fingerprint)
    }

    /// Returns Ada's grant: its action, and the grant as a form names it.
    private static func given(_ site: TestSite) async throws -> (action: String, grant: String) {
        let row = try await site.pool.query("SELECT a.id::text, 'grant:' || g.id FROM entitlement_actions a, grants g")
            .first
        return try #require(row).decode(String.self, String.self)
    }

    private static let rows = """
        INSERT INTO customers (id, app_id, key, name, created_at)
        VALUES ('\(bob)', '\(TestSite.readmigo)', 'bob', 'Bob', now()),
            ('\(cem)', '00000000-0000-7000-8000-000000000002', 'cem', 'Cem', now());
        INSERT INTO customer_notes (id, customer_id, staff_id, author, text, created_at)
        SELECT '\(note)', '\(ada)', id, name, 'Called.', now() FROM staff WHERE email = 'admin@example.com';
        """
}
