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

@Suite("The routes about customers") struct CustomersTests {
    private static let customer = "/dashboard/customers/\(TestSite.customer)"
    static let note = "00000000-0000-7000-8000-0000000000ee"

    @Test("the list, a customer, the subscriptions and one of them are there")
    func pages() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            try await Self.addSubscription(site)
            let list = try await browser.get("/dashboard/customers")
            #expect(
                list.status == .ok && list.text.contains("Zeynep Yılmaz") && list.text.contains("ORD-20260101-0030")
            )
            let page = try await browser.get(Self.customer)
            #expect(page.status == .ok && page.text.contains("zeynep@example.com"))
            #expect(page.text.contains("Initial purchase charged"))
            #expect(page.text.contains("/dashboard/subscriptions/\(Self.note)"))
            #expect(try await browser.get("/dashboard/subscriptions?state=active").text.contains("T1"))
            #expect(try await browser.get("/dashboard/subscriptions/\(Self.note)").text.contains("Zeynep Yılmaz"))
            for path in [
                "customers/x", "customers/\(Self.note)", "subscriptions/x", "subscriptions/\(TestSite.customer)",
            ] {
                #expect(try await browser.get("/dashboard/\(path)").status == .notFound, "\(path)")
            }
        }
    }

    @Test("a marker that is not ours leads to the first page, which says so once, with what was searched for")
    func lostPage() async throws {
        try await Self.signedIn(.admin) { _, browser async throws in
            let notice = "That page of the list is no longer there. This is the first page."
            for (path, query) in [
                ("/dashboard/customers", "?q=zeynep"), ("/dashboard/orders", ""), ("/dashboard/subscriptions", ""),
                ("/dashboard/notifications", ""), ("/dashboard/refunds", ""), ("/dashboard/audit", ""),
                ("/dashboard/bulk", ""), (Self.customer, "?show=money"),
            ] {
                let lost = try await browser.get("\(path)\(query)\(query.isEmpty ? "?" : "&")after=x")
                #expect(lost.status == .seeOther && lost.location == path + query, "\(path)")
                let first = try await browser.get(path + query)
                #expect(first.status == .ok && first.text.contains(notice), "\(path)")
                #expect(!(try await browser.get(path + query).text.contains(notice)), "\(path)")
            }
        }
    }

    @Test("a note that is written or deleted is said to be, and the way back stays")
    func noteFlash() async throws {
        try await Self.signedIn(.support) { _, browser async throws in
            let list = "/dashboard/customers?q=zeynep"
            let here = "\(Self.customer)?from=\(DashboardPath.encoded(list))"
            let fields = [("id", Self.note), ("text", "Called at noon."), ("from", list)]
            let added = try await browser.submit(Self.customer + "/notes", fields, from: Self.customer)
            #expect(added.location == here)
            let page = try await browser.get(here)
            #expect(page.text.contains("Note added.") && page.text.contains("Called at noon."))
            #expect(page.text.contains("/withdraw?from="))
            let path = "\(Self.customer)/notes/\(Self.note)/withdraw"
            let gone = try await browser.submit(path, [("from", list)], from: path)
            #expect(gone.location == here)
            #expect(try await browser.get(here).text.contains("Note deleted."))
        }
    }

    @Test("the timeline pages, part by part, and comes back to its beginning")
    func timeline() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            let money = try await browser.get(Self.customer + "?show=money")
            let older = try #require(money.text.firstMatch(of: /rel="next" href="([^"]+)"/)?.1)
            let second = try await browser.get(String(older).replacing("&amp;", with: "&"))
            #expect(second.status == .ok && second.text.contains("ORD-20260101-0001"))
            #expect(second.text.contains("rel=\"prev\""))
        }
    }

    @Test("customers of another app are not there")
    func otherApp() async throws {
        try await Self.signedIn(.admin) { site, browser async throws in
            try await Self.addSubscription(site)
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            for path in [Self.customer, "/dashboard/subscriptions/\(Self.note)"] {
                #expect(try await browser.get(path).status == .notFound)
            }
            #expect(try await browser.get("/dashboard/customers").text.contains("No customers yet"))
            #expect(try await browser.get("/dashboard/subscriptions").text.contains("No subscriptions yet"))
            let answer = try await browser.submit(
                Self.customer + "/notes",
                [("id", Self.note), ("text", "hello")],
                from: "/dashboard/orders"
            )
            #expect(answer.status == .notFound)
            #expect(try await site.count("customer_notes") == 0)
        }
    }

    @Test("an analyst sees ids alone, and neither writes nor reads notes")
    func analyst() async throws {
        try await Self.signedIn(.analyst) { site, browser async throws in
            try await Self.addSubscription(site)
            let paths = [
                "/dashboard/customers", "/dashboard/customers?q=token-1", "/dashboard/customers?q=zeynep",
                Self.customer,
                "/dashboard/subscriptions", "/dashboard/subscriptions?q=zeynep",
                "/dashboard/subscriptions/\(Self.note)",
                "/dashboard/subscriptions?customer=\(TestSite.customer)",
            ]
            for path in paths {
                let page = try await browser.get(path)
                #expect(page.status == .ok, "\(path)")
                for secret in TestSite.personalData { #expect(!page.text.contains(secret), "\(secret) in \(path)") }
                #expect(!page.text.contains("Add note"))
            }
            let refused = try await browser.submit(Self.customer + "/notes", [("id", Self.note), ("text", "hi")])
            #expect(refused.status == .forbidden)
            #expect(try await site.audit().last == "access.deny")
        }
    }

    @Test("a note is written once however often it is sent, withdrawn by its author alone, and stays in the audit log")
    func notes() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            for _ in 1...2 {
                let answer = try await browser.submit(
                    Self.customer + "/notes",
                    [("id", Self.note), ("text", "  Prefers <b>e-mail</b>. ")],
                    from: Self.customer
                )
                #expect(answer.status == .seeOther && answer.location == Self.customer)
            }
            #expect(try await site.count("customer_notes") == 1)
            let page = try await browser.get(Self.customer)
            #expect(page.text.contains("Prefers &lt;b&gt;e-mail&lt;/b&gt;."))
            #expect(page.text.contains("Added a note"))
            for text in ["", "   ", String(repeating: "x", count: 2_001)] {
                let id = UUID().uuidString
                let answer = try await browser.submit(Self.customer + "/notes", [("id", id), ("text", text)])
                #expect(answer.status == .unprocessableContent)
            }
            #expect(try await site.count("customer_notes") == 1)

            let withdrawal = Self.customer + "/notes/\(Self.note)/withdraw"
            try await site.addStaff(.admin)
            let other = Browser(browser.client)
            _ = try await other.signIn("admin@example.com")
            _ = try await other.submit("/dashboard/app", [("app", "readmigo")])
            #expect(try await other.get(withdrawal).status == .notFound)
            #expect(try await other.submit(withdrawal, []).status == .forbidden)
            #expect(try await browser.get(withdrawal).text.contains("Delete this note?"))
            #expect(try await browser.submit(withdrawal, [], from: withdrawal).status == .seeOther)
            #expect(
                !(try await browser.get(Self.customer).text.contains(
                    "Prefers &lt;b&gt;e-mail&lt;/b&gt;.</p><p class=\"muted\">"
                ))
            )
            #expect(try await browser.submit(withdrawal, []).status == .notFound)
            let entries = try await site.pool.query(
                """
                SELECT action, coalesce(before, after) ->> 'text', customer_id::text
                FROM audit_entries e JOIN audit_chain c ON c.entry_id = e.id
                WHERE object_type = 'note' ORDER BY c.number
                """
            ).map { try $0.decode(String.self, String.self, String.self) }
            #expect(entries.map(\.0) == ["note.add", "note.withdraw"])
            #expect(entries.allSatisfy { $0.1 == "Prefers <b>e-mail</b>." && $0.2 == TestSite.customer })
        }
    }

    @Test("a list of a customer's orders names the customer, also where there are none")
    func chip() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            for list in ["orders", "subscriptions"] {
                let page = try await browser.get(
                    "/dashboard/\(list)?customer=\(TestSite.customer)&status=pending&state=paused"
                )
                #expect(page.text.contains("Customer: Zeynep Yılmaz"), "\(list)")
            }
        }
    }

    @Test("a search that fits more than a thousand customers says that the list is cut")
    func cut() async throws {
        try await Self.signedIn(.support) { site, browser async throws in
            _ = try await site.pool.query(
                """
                INSERT INTO customers (id, app_id, key, name, created_at)
                SELECT gen_random_uuid(), \(unsafe: "'\(TestSite.readmigo)'"), 'many-' || i, 'Many of them', now()
                FROM generate_series(1, 1001) i
                """
            )
            for list in ["orders", "subscriptions"] {
                let sentence = "More than 1,000 customers match"
                #expect(try await browser.get("/dashboard/\(list)?q=Many").text.contains(sentence))
                #expect(!(try await browser.get("/dashboard/\(list)?q=zeynep").text.contains(sentence)))
            }
        }
    }

    /// Adds a note about the customer, or makes the present one this person's and not withdrawn; notes are not rewritten otherwise.
    static func addNote(of email: String, _ site: TestSite) async throws {
        try await site.pool.withConnection { connection in
            try await connection.execute(script: "SET session_replication_role = replica")
            _ = try await connection.query(
                """
                INSERT INTO customer_notes (id, customer_id, staff_id, author, text, created_at)
                SELECT '\(unsafe: note)', '\(unsafe: TestSite.customer)', id, name, 'Called.', now()
                FROM staff WHERE email = \(email)
                ON CONFLICT (id) DO UPDATE SET staff_id = EXCLUDED.staff_id, withdrawn_at = NULL
                """
            )
            try await connection.execute(script: "RESET session_replication_role")
        }
    }

    static func addSubscription(_ site: TestSite) async throws {
        try await site.pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO subscriptions (id, app_id, customer_id, store, environment, original_transaction_id,
                        state, product_id, started_at, period_starts_at, period_ends_at, renews_automatically, created_at,
                        updated_at)
                    VALUES ('\(note)', '\(TestSite.readmigo)', '\(TestSite.customer)', 'apple', 'production', 'T1',
                        'active', '00000000-0000-7000-8000-0000000000b1', '2026-01-01', '2026-11-01', '2026-12-01', true,
                        now(), now());
                    UPDATE orders SET subscription_id = '\(note)';
                    """
            )
        }
    }

    static func signedIn(
        _ role: StaffRole,
        _ body: @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addOrders(30)
            try await site.addStaff(role)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }
}
