import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("The staff pages") struct StaffPagesTests {
    private static let reason = [("category", "other"), ("reason", "she starts on Monday")]

    @Test("somebody invited sets a password with the link, once, and signs in with the role and apps given")
    func invitation() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let path = "/dashboard/staff/invitation"
            let fields = [
                ("email", "New@example.com"), ("name", "Nia New"), ("role", "support"), ("app", "kombin"),
                ("key", "k1"),
            ]
            let page = try await browser.submit(path, fields + Self.reason, from: path)
            #expect(page.status == .ok)
            let link = try #require(Self.link(in: page.text))
            #expect(link.hasPrefix("/dashboard/welcome/"))
            // The link has the address that the server listens on, not the Host that the caller chose.
            #expect(page.text.contains("http://127.0.0.1\(link)"))
            let kept = try await site.pool.query("SELECT token_hash FROM password_setup_tokens").first?
                .decode(0, as: [UInt8].self)
            let token = SecretToken(link.suffix(64))
            #expect(kept == token?.hash)
            let again = try await browser.submit(path, fields + Self.reason, from: path)
            #expect(again.location == "/dashboard/staff")
            let person = Browser(client)
            #expect(try await person.signIn("new@example.com", "!").status == .unauthorized)
            #expect(try await person.get(link).text.contains("new@example.com"))
            let short = try await person.submit(link, [("password", "short")], from: link)
            #expect(short.status == .unprocessableContent)
            let foreign = try await person.post(link, [("csrf", "00"), ("password", "a good long password")])
            #expect(foreign.status == .forbidden)
            let set = try await person.submit(link, [("password", "a good long password")], from: link)
            #expect(set.location == "/dashboard/sign-in")
            #expect(try await person.get(link).status == .notFound)
            #expect(try await person.signIn("new@example.com", "a good long password").status == .seeOther)
            let orders = try await person.get("/dashboard/orders").text
            #expect(orders.contains("Kombin"))
            #expect(!orders.contains("Readmigo"))
            #expect(try await person.get("/dashboard/staff").status == .forbidden)
            let actions = try await site.audit().filter { $0.hasPrefix("staff.") }
            #expect(actions == ["staff.add", "staff.invite", "staff.join"])
        }
    }

    @Test("a link is good for 72 hours, and a newer one makes it worthless")
    func links() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let id = try await Self.add(site, .support)
            let path = "/dashboard/staff/\(id)/link"
            let first = try #require(Self.link(in: try await browser.submit(path, Self.fields("a"), from: path).text))
            let second = try #require(Self.link(in: try await browser.submit(path, Self.fields("b"), from: path).text))
            let person = Browser(client)
            #expect(try await person.get(first).status == .notFound)
            #expect(try await person.get(second).status == .ok)
            site.clock.advance(by: 72 * 3600 + 1)
            #expect(try await person.get(second).status == .notFound)
            #expect(try await person.get("/dashboard/welcome/nonsense").status == .notFound)
        }
    }

    @Test("a link back in ends the sessions and leaves the second factor alone")
    func backIn() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let id = try await Self.add(site, .support)
            let person = Browser(client)
            _ = try await person.signIn("support@example.com")
            _ = try await person.submit("/dashboard/account/two-factor", [], from: "/dashboard/account")
            let totp = try await site.totp(of: "support@example.com")
            _ = try await person.submit(
                "/dashboard/account/two-factor/code",
                [("code", site.code(totp))],
                from: "/dashboard/account"
            )
            let path = "/dashboard/staff/\(id)/link"
            let link = try #require(Self.link(in: try await browser.submit(path, Self.fields("a"), from: path).text))
            _ = try await Browser(client).submit(link, [("password", "a good long password")], from: link)
            #expect(try await person.get("/dashboard/orders").status == .seeOther)
            let signIn = try await person.signIn("support@example.com", "a good long password")
            #expect(signIn.location?.hasPrefix("/dashboard/sign-in/code") == true)
        }
    }

    @Test("role and apps change at once, with reason, before and after in the log")
    func change() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let id = try await Self.add(site, .support)
            let person = Browser(client)
            _ = try await person.signIn("support@example.com")
            #expect(try await person.get("/dashboard/audit").status == .ok)
            let role = "/dashboard/staff/\(id)/role"
            #expect(try await browser.get(role).text.contains("Change role of support@example.com?"))
            let missing = try await browser.submit(role, [("role", "analyst"), ("key", "k")], from: role)
            #expect(missing.status == .unprocessableContent)
            #expect(missing.text.contains("value=\"analyst\" checked"))
            let changed = try await browser.submit(role, [("role", "analyst")] + Self.fields("a"), from: role)
            #expect(changed.location == "/dashboard/staff/\(id)")
            #expect(try await browser.get("/dashboard/staff/\(id)").text.contains("Role changed."))
            #expect(try await person.get("/dashboard/audit").status == .forbidden)
            let apps = "/dashboard/staff/\(id)/apps"
            let none = try await browser.submit(apps, Self.fields("b"), from: apps)
            #expect(none.status == .unprocessableContent)
            _ = try await browser.submit(apps, [("app", "readmigo")] + Self.fields("c"), from: apps)
            #expect(!(try await person.get("/dashboard/orders").text.contains("Kombin")))
            let entries = try await site.pool.query(
                """
                SELECT action || ' ' || (before::text) || ' ' || (after::text) || ' ' || reason
                FROM audit_entries WHERE action IN ('staff.role', 'staff.apps') ORDER BY action DESC
                """
            ).map { try $0.decode(0, as: String.self) }
            #expect(
                entries == [
                    #"staff.role {"role": "support", "email": "support@example.com"} "#
                        + #"{"role": "analyst", "email": "support@example.com"} other: she starts on Monday"#,
                    #"staff.apps {"apps": "all", "email": "support@example.com"} "#
                        + #"{"apps": "readmigo", "email": "support@example.com"} other: she starts on Monday"#,
                ]
            )
        }
    }

    @Test("shutting an account ends sessions, half-open sessions, keys and links at once; it can be opened again")
    func closure() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let id = try await Self.add(site, .support)
            let person = Browser(client)
            _ = try await person.signIn("support@example.com")
            let key = try await site.token(of: .support).text
            let linkPath = "/dashboard/staff/\(id)/link"
            let answer = try await browser.submit(linkPath, Self.fields("a"), from: linkPath)
            let link = try #require(Self.link(in: answer.text))
            let path = "/dashboard/staff/\(id)/closure"
            #expect(try await browser.get(path).text.contains("button danger"))
            _ = try await browser.submit(path, Self.fields("b"), from: path)
            #expect(try await person.get("/dashboard/orders").status == .seeOther)
            #expect(try await site.call(.get, "/admin/orders?app=kombin", key) == .unauthorized)
            #expect(try await person.get(link).status == .notFound)
            #expect(try await person.signIn("support@example.com").status == .unauthorized)
            let twice = try await browser.submit(path, Self.fields("c"), from: path)
            #expect(twice.status == .conflict)
            let reopening = "/dashboard/staff/\(id)/reopening"
            _ = try await browser.submit(reopening, Self.fields("d"), from: reopening)
            #expect(try await person.signIn("support@example.com").status == .seeOther)
        }
    }

    @Test("nobody shuts out or demotes themselves, and the try is written down")
    func oneself() async throws {
        try await Self.signedIn { site, browser, client async throws in
            _ = try await site.addPerson(.admin, apps: nil)
            let id = try await site.backOffice.staff("admin@example.com").id
            let actions: [(String, [(String, String)])] = [
                ("role", [("role", "support")]), ("closure", []), ("apps", [("app", "kombin")]),
            ]
            for (action, fields) in actions {
                let path = "/dashboard/staff/\(id)/\(action)"
                let answer = try await browser.submit(path, fields + Self.fields(action), from: path)
                #expect(answer.status == .forbidden)
            }
            let page = try await browser.get("/dashboard/staff/\(id)").text
            #expect(!page.contains("/closure"))
            #expect(page.contains("Another admin has to change"))
            #expect(try await site.audit().filter { $0 == "access.deny" }.count == 3)
        }
    }

    @Test("staff pages ask after ten minutes who is there, and keep the form that was filled")
    func fresh() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let id = try await Self.add(site, .support)
            let path = "/dashboard/staff/\(id)/role"
            let csrf = try #require(try await browser.get(path).formToken)
            site.clock.advance(by: 700)
            #expect(try await browser.get(path).location?.hasPrefix("/dashboard/identity?next=") == true)
            let fields = [("csrf", csrf), ("role", "analyst")] + Self.fields("a")
            let asked = try await browser.post(path, fields)
            #expect(asked.text.contains("Confirm it's you"))
            #expect(try await site.backOffice.staff("support@example.com").role == .support)
            let kept = try #require(asked.text.split(separator: "name=\"kept\" value=\"").last?.prefix { $0 != "\"" })
            let unescaped = String(kept).replacing("&amp;", with: "&")
            let proof = [("csrf", csrf), ("next", path), ("kept", unescaped), ("password", TestSite.password)]
            let goOn = try await browser.post("/dashboard/identity", proof).text
            #expect(goOn.contains("action=\"\(path)\""))
            #expect(goOn.contains("name=\"role\" value=\"analyst\""))
            #expect(goOn.contains("name=\"reason\" value=\"she starts on Monday\""))
            let token = try #require(goOn.split(separator: "name=\"csrf\" value=\"").last?.prefix { $0 != "\"" })
            let form = [("csrf", String(token)), ("role", "analyst")] + Self.fields("a")
            #expect(try await browser.post(path, form).location == "/dashboard/staff/\(id)")
            #expect(try await site.backOffice.staff("support@example.com").role == .analyst)
        }
    }

    @Test("two who send the same form at once change the account once")
    func once() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let id = try await Self.add(site, .support)
            let path = "/dashboard/staff/\(id)/role"
            for _ in 0..<2 {
                let answer = try await browser.submit(path, [("role", "analyst")] + Self.fields("a"), from: path)
                #expect(answer.location == "/dashboard/staff/\(id)")
            }
            #expect(try await site.audit().filter { $0 == "staff.role" }.count == 1)
        }
    }

    @Test("an admin of some apps does not manage staff")
    func limitedAdmin() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let email = try await site.addPerson(.admin, apps: ["kombin"])
            let other = Browser(client)
            _ = try await other.signIn(email)
            #expect(try await other.get("/dashboard/staff").status == .forbidden)
            #expect(!(try await other.get("/dashboard/orders").text.contains("href=\"/dashboard/staff\"")))
        }
    }

    private static func fields(_ key: String) -> [(String, String)] {
        [("key", key)] + reason
    }

    /// Returns the path of the link that a page shows.
    private static func link(in page: String) -> String? {
        page.split(separator: "data-copy=\"Copy link\">").dropFirst().first.flatMap { rest in
            let link = rest.prefix { $0 != "<" }
            return link.range(of: "/dashboard").map { String(link[$0.lowerBound...]) }
        }
    }

    private static func add(_ site: TestSite, _ role: StaffRole) async throws -> Staff.ID {
        try await site.addStaff(role)
        return try await site.backOffice.staff("\(role.rawValue)@example.com").id
    }

    private static func signedIn(
        _ body: @escaping @Sendable (TestSite, Browser, TestClient) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                try await body(site, browser, client)
            }
        }
    }
}
