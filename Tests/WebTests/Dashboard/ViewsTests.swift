import Foundation
import HTTPTypes
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("views of lists") struct ViewsTests {
    static let view = "00000000-0000-7000-8000-0000000000dd"

    private static let lists = [
        "orders?status=refunded&sort=amount", "customers?refunds=yes", "subscriptions?state=active&sort=end",
        "refunds?status=all&sort=amount", "notifications?state=failed",
        "audit?action=session",
    ]

    @Test("a list is given a name once, stands on the list, and leads back to exactly that list", arguments: lists)
    func save(_ list: String) async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let page = try await browser.get("/dashboard/\(list)")
            let new = try #require(Self.link(to: "/dashboard/views/new?list=", on: page))
            #expect(new.hasSuffix("&" + (list.split(separator: "?").last ?? "")))
            let form = try await browser.get(new)
            #expect(form.status == .ok)
            for _ in 1...2 {
                let answer = try await Self.send(browser, form, "Mine <b>", from: new)
                #expect(answer.location == "/dashboard/\(list)&columns=all")
            }
            #expect(try await site.count("saved_views") == 1)
            let again = try await browser.get("/dashboard/\(list)")
            #expect(again.text.contains("aria-current=\"true\">Mine &lt;b&gt;</a>"))
            #expect(again.text.contains("View saved.") && again.text.contains("Edit view…"))
            #expect(!again.text.contains("Save view…"))
            #expect(try await site.audit().filter { $0 == "view.save" }.count == 1)
        }
    }

    @Test("the same name twice is an error at the field, as are none and one that is too long; what was typed stays")
    func names() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let new = "/dashboard/views/new?list=orders&status=refunded&evil=1&after=x"
            func save(_ name: String) async throws -> TestResponse {
                try await Self.send(browser, try await browser.get(new), name, from: new)
            }
            #expect(try await save(" Refunds ").location == "/dashboard/orders?status=refunded&columns=all")
            let wrong = [
                ("Refunds", "You already have one with this name."), ("   ", "Enter a name."),
                (String(repeating: "界", count: 61), "Enter at most 60 characters."),
            ]
            for (name, sentence) in wrong {
                let answer = try await save(name)
                #expect(answer.status == .unprocessableContent && answer.text.contains(sentence), "\(name)")
                #expect(answer.text.contains("name=\"name\" type=\"text\" value=\"\(name)\""))
            }
            #expect(try await save(String(repeating: "界", count: 60)).status == .seeOther)
            #expect(try await site.count("saved_views") == 2)
            #expect(try await browser.submit("/dashboard/views", [("list", "cats")]).status == .unprocessableContent)
        }
    }

    @Test("a view of one's own keeps another state of its list from now on, and the audit log what it was before")
    func update() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let new = "/dashboard/views/new?list=orders&status=refunded"
            _ = try await Self.send(browser, try await browser.get(new), "Mine", from: new)
            let other = try await browser.get("/dashboard/views/new?list=orders&columns=amount&status=failed")
            let update = try #require(Self.link(to: "/dashboard/views/0", on: other))
            let page = try await browser.get(update)
            #expect(page.text.contains("<h1>Update view “Mine”?</h1>"))
            #expect(page.text.contains("status=refunded</td>") && page.text.contains("status=failed</td>"))
            let form = [("name", "Mine"), ("shared", "no"), ("query", "?status=failed&columns=amount")]
            let path = String(update.prefix { $0 != "?" })
            let answer = try await browser.submit(path, form + [("key", UUID().uuidString)], from: update)
            #expect(answer.location == "/dashboard/orders?status=failed&columns=amount")
            let kept = try await site.pool.query("SELECT name, query, columns FROM saved_views")
            #expect(
                try kept.map { try $0.decode(String.self, String.self, String.self) }.map { "\($0)" } == [
                    #"("Mine", "?status=failed", "amount")"#
                ]
            )
            let entry = try await site.pool.query(
                "SELECT before ->> 'query', after ->> 'query' FROM audit_entries WHERE action = 'view.change'"
            )
            #expect(try entry.first?.decode(0, as: String.self) == "?status=refunded")
            #expect(try entry.first?.decode(1, as: String.self) == "?status=failed")
        }
    }

    @Test("a list that is sorted by a column that is not shown says so, and offers the other way around")
    func hiddenSort() async throws {
        try await CustomersTests.signedIn(.support) { _, browser async throws in
            let hidden = try await browser.get("/dashboard/orders?sort=amount&columns=status")
            #expect(hidden.text.contains("Sorted by Amount, a hidden column."))
            let link = try #require(Self.link(to: "/dashboard/orders?sort=amount&dir=asc", on: hidden))
            let turned = try await browser.get(link)
            #expect(turned.text.contains("smallest amount first") && turned.text.contains("a hidden column"))
            let shown = try await browser.get("/dashboard/orders?sort=amount&columns=amount")
            #expect(!shown.text.contains("a hidden column"))
        }
    }

    @Test("a shared view is everybody's to see, its owner's to change, and its owner's or an admin's to delete")
    func share() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let path = try await Self.made(site, browser, "Mine", "/dashboard/views/new?list=orders&status=pending")
            try await site.addStaff(.admin, .analyst)
            let (admin, analyst) = (try await Self.other("admin", browser), try await Self.other("analyst", browser))
            #expect(!(try await admin.get("/dashboard/orders").text.contains(">Mine")))
            #expect(try await admin.get(path).status == .notFound)
            let shared = try await Self.send(browser, try await browser.get(path), "Ours", shared: true, from: path)
            #expect(shared.location == "/dashboard/orders?status=pending&columns=all")
            #expect(try await admin.get("/dashboard/orders").text.contains(">Ours (Ada support)<"))
            let theirs = [("key", "k"), ("name", "Theirs"), ("shared", "yes")]
            #expect(try await admin.submit(path, theirs, from: "/dashboard/orders").status == .forbidden)
            #expect(try await analyst.get("/dashboard/orders").text.contains(">Ours (Ada support)<"))
            #expect(try await analyst.get(path + "/delete").status == .forbidden)
            let refused = try await analyst.submit(path + "/delete", [("key", "k")], from: "/dashboard/orders")
            #expect(refused.status == .forbidden)
            #expect(try await site.count("saved_views") == 1)
            let question = try await admin.get(path + "/delete")
            #expect(question.text.contains("Delete view “Ours”?") && question.text.contains("everyone loses it"))
            let gone = try await Self.send(admin, question, nil, from: path + "/delete")
            #expect(gone.location == "/dashboard/orders")
            #expect(try await site.count("saved_views") == 0)
            let actions = try await site.audit().filter { $0.hasPrefix("view.") }
            #expect(actions == ["view.save", "view.change", "view.delete"])
        }
    }

    @Test("a shared view that looks for a text, which may be a name, is not shown to analysts")
    func searches() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let new = "/dashboard/views/new?list=customers&q=zeynep%40example.com"
            let path = try await Self.made(site, browser, "A friend", new, shared: true)
            try await site.addStaff(.admin, .analyst)
            let analyst = try await Self.other("analyst", browser)
            #expect(!(try await analyst.get("/dashboard/customers").text.contains("A friend")))
            #expect(try await analyst.get(path).status == .notFound)
            let admin = try await Self.other("admin", browser)
            #expect(try await admin.get("/dashboard/customers").text.contains("A friend"))
        }
    }

    @Test("a view belongs to its app")
    func apps() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let path = try await Self.made(site, browser, "Mine", "/dashboard/views/new?list=orders")
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            #expect(!(try await browser.get("/dashboard/orders").text.contains(">Mine")))
            #expect(try await browser.get(path).status == .notFound)
            let answer = try await browser.submit(path + "/delete", [("key", "k")], from: "/dashboard/orders")
            #expect(answer.status == .notFound)
        }
    }

    @Test("the columns that a person chose are shown, and remembered; the first is always there")
    func columns() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            #expect(Self.headings(try await browser.get("/dashboard/orders")).count == 8)
            let path = "/dashboard/columns"
            let back = ("return_to", "/dashboard/orders?sort=amount")
            let chosen = [("list", "orders"), ("column", "amount"), ("column", "status"), ("column", "uuid"), back]
            let answer = try await browser.submit(path, chosen, from: "/dashboard/orders")
            #expect(answer.location == "/dashboard/orders?sort=amount")
            let fewer = try await browser.get("/dashboard/orders")
            #expect(Self.headings(fewer) == ["Order", "Amount", "Status"])
            #expect(Self.cells(fewer) == 3 && fewer.text.contains("columns=amount.status"))
            #expect(Self.headings(try await browser.get("/dashboard/customers")).count == 8)
            _ = try await browser.submit(path, [("list", "orders"), back], from: "/dashboard/orders")
            #expect(Self.headings(try await browser.get("/dashboard/orders")) == ["Order"])
            _ = try await browser.submit(path, [("list", "orders"), ("all", "yes"), back], from: "/dashboard/orders")
            #expect(Self.headings(try await browser.get("/dashboard/orders")).count == 8)
            #expect(try await site.audit().filter { $0 == "list.columns" }.count == 3)
            let unknown = try await browser.submit(path, [("list", "cats")], from: "/dashboard/orders")
            #expect(unknown.status == .unprocessableContent)
            let away = [("list", "orders"), ("all", "yes"), ("return_to", "https://example.com/")]
            #expect(
                try await browser.submit(path, away, from: "/dashboard/orders").location == "/dashboard/orders"
            )
        }
    }

    @Test("a view has its own columns, on every page of it and whatever is filtered further")
    func columnsOfViews() async throws {
        try await CustomersTests.signedIn(.support) { site, browser async throws in
            let list = "/dashboard/orders?columns=amount.created"
            let page = try await browser.get(list)
            #expect(Self.headings(page) == ["Order", "Amount", "Created"])
            let next = try #require(page.text.firstMatch(of: /rel="next" href="([^"]+)"/)?.1).replacing(
                "&amp;",
                with: "&"
            )
            #expect(Self.headings(try await browser.get(String(next))) == ["Order", "Amount", "Created"])
            #expect(page.text.contains("/dashboard/orders?status=refunded&amp;columns=amount.created"))
            #expect(page.text.contains("type=\"hidden\" name=\"columns\" value=\"amount.created\""))
            let new = try #require(Self.link(to: "/dashboard/views/new?list=", on: page))
            let saved = try await Self.send(browser, try await browser.get(new), "Narrow", from: new)
            #expect(saved.location == list)
            #expect(try await browser.get(list).text.contains("aria-current=\"true\">Narrow</a>"))
            let plain = try await browser.get("/dashboard/orders")
            #expect(Self.headings(plain).count == 8 && plain.text.contains("href=\"\(list)\">Narrow</a>"))
            #expect(Self.headings(try await browser.get("/dashboard/orders?columns=none.cats")).count == 8)
        }
    }

    /// Makes one view; a repeated call gives it to another person.
    static func addView(of email: String, _ site: TestSite) async throws {
        _ = try await site.pool.query(
            """
            INSERT INTO saved_views (id, app_id, staff_id, list, name, query, columns, is_shared, created_at, updated_at)
            SELECT \(try #require(UUID(uuidString: view))), \(try #require(UUID(uuidString: TestSite.readmigo))), id,
                'orders', 'Mine', '', 'all', false, now(), now()
            FROM staff
            WHERE email = \(email)
            ON CONFLICT (id) DO UPDATE SET staff_id = excluded.staff_id
            """
        )
    }

    /// Saves a view; returns its address.
    private static func made(
        _ site: TestSite,
        _ browser: Browser,
        _ name: String,
        _ new: String,
        shared: Bool = false
    ) async throws -> String {
        _ = try await send(browser, try await browser.get(new), name, shared: shared, from: new)
        let id = try await site.pool.query("SELECT id::text FROM saved_views").first?.decode(0, as: String.self)
        return "/dashboard/views/\(try #require(id))"
    }

    /// Sends the form of a page as it is, with a name.
    private static func send(
        _ browser: Browser,
        _ page: TestResponse,
        _ name: String?,
        shared: Bool = false,
        from path: String
    ) async throws -> TestResponse {
        let main = page.text[(page.text.range(of: "data-once")?.lowerBound ?? page.text.startIndex)...]
        let hidden = main.matches(of: /type="hidden" name="(key|list|query)" value="([^"]*)"/)
            .map { (String($0.1), $0.2.replacing("&amp;", with: "&")) }
        let action = path.hasPrefix("/dashboard/views/new") ? "/dashboard/views" : path
        let typed = name.map { [("name", $0), ("shared", shared ? "yes" : "no")] } ?? []
        return try await browser.submit(action, hidden.map { ($0.0, String($0.1)) } + typed, from: path)
    }

    private static func other(_ role: String, _ browser: Browser) async throws -> Browser {
        let other = Browser(browser.client)
        _ = try await other.signIn("\(role)@example.com")
        _ = try await other.submit("/dashboard/app", [("app", "readmigo")])
        return other
    }

    private static func link(to start: String, on page: TestResponse) -> String? {
        page.text.matches(of: /href="([^"]+)"/).map { $0.1.replacing("&amp;", with: "&") }
            .first { $0.hasPrefix(start) }.map { String($0) }
    }

    private static func headings(_ page: TestResponse) -> [String] {
        page.text.matches(of: /<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)/)
            .map { $0.1.trimmingCharacters(in: .whitespaces) }
    }

    /// Returns the number of cells in the first row.
    private static func cells(_ page: TestResponse) -> Int {
        let row = page.text.firstMatch(of: /<tbody>\s*<tr>(?s:.*?)<\/tr>/)?.0 ?? ""
        return row.matches(of: /<t[dh][ >]/).count
    }
}
