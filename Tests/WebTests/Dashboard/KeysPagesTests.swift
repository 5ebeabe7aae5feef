import Billing
import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("The keys to the admin API") struct KeysPagesTests {
    static let key = "00000000-0000-7000-8000-0000000000aa"
    private static let reason = [("category", "other"), ("reason", "the laptop was stolen")]

    @Test("somebody sees their own keys, revokes one of them, and it is refused at once; the others go on")
    func own() async throws {
        try await Self.run(.support) { site, browser, client async throws in
            let lost = try await site.token(of: .support)
            let kept = try await site.token(of: .support)
            let foreign = try await site.token(of: .admin)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", lost.text) == .ok)
            let list = try await browser.get("/dashboard/account/keys")
            #expect(list.text.contains("\(lost.id)") && list.text.contains("\(kept.id)"))
            #expect(!list.text.contains("\(foreign.id)"))
            #expect(!list.text.contains(lost.text))
            #expect(try await browser.get("/dashboard/account").text.contains("2 active keys."))
            let path = "/dashboard/account/keys/\(lost.id)"
            #expect(try await browser.get(path).text.contains("Revoke key test?"))
            let unreasoned = try await browser.submit(path, [("key", "a")], from: path)
            #expect(unreasoned.status == .unprocessableContent)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", lost.text) == .ok)
            let done = try await browser.submit(path, [("key", "a")] + Self.reason, from: path)
            #expect(done.location == "/dashboard/account/keys")
            #expect(try await browser.get("/dashboard/account/keys").text.contains("API key revoked."))
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", lost.text) == .unauthorized)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", kept.text) == .ok)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", foreign.text) == .ok)
            let entry = try #require(
                try await site.pool.query(
                    "SELECT actor, object_id, before::text, reason FROM audit_entries WHERE action = 'token.revoke'"
                ).first
            ).decode(String.self, String.self, String.self, String.self)
            #expect(entry.0 == "support@example.com")
            #expect(entry.1 == lost.id.description)
            #expect(entry.2.contains("support@example.com"))
            #expect(entry.3 == "other: the laptop was stolen")
            // The same form sent twice has one effect.
            let again = try await browser.submit(path, [("key", "b")] + Self.reason, from: path)
            #expect(again.status == .conflict)
            #expect(try await site.audit().filter { $0 == "token.revoke" }.count == 1)
        }
    }

    @Test("nobody revokes or sees the key of somebody else but who looks after the staff")
    func foreign() async throws {
        try await Self.run(.support) { site, browser, client async throws in
            let foreign = try await site.token(of: .admin)
            for path in ["/dashboard/account/keys/\(foreign.id)", "/dashboard/account/keys/x"] {
                #expect(try await browser.get(path).status == .notFound)
                let sent = try await browser.submit(path, [("key", "a")] + Self.reason, from: "/dashboard/account")
                #expect(sent.status == .notFound)
            }
            #expect(try await browser.get("/dashboard/staff/keys").status == .forbidden)
            #expect(try await browser.get("/dashboard/staff/keys/\(foreign.id)").status == .forbidden)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", foreign.text) == .ok)
        }
    }

    @Test("an admin sees everybody's keys and revokes one of them")
    func everybodys() async throws {
        try await Self.run(.admin) { site, browser, client async throws in
            let key = try await site.token(of: .support)
            let list = try await browser.get("/dashboard/staff/keys").text
            #expect(list.contains("support@example.com"))
            let path = "/dashboard/staff/keys/\(key.id)"
            let done = try await browser.submit(path, [("key", "a")] + Self.reason, from: path)
            #expect(done.location == "/dashboard/staff/keys")
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", key.text) == .unauthorized)
        }
    }

    @Test("a key is revoked by who proved within the last ten minutes who they are")
    func fresh() async throws {
        try await Self.run(.support) { site, browser, client async throws in
            let key = try await site.token(of: .support)
            let path = "/dashboard/account/keys/\(key.id)"
            site.clock.advance(by: 601)
            #expect(try await browser.get(path).location?.hasPrefix("/dashboard/identity") == true)
            let sent = try await browser.submit(path, [("key", "a")] + Self.reason, from: "/dashboard/account")
            #expect(sent.status == .ok && sent.text.contains("Confirm it's you"))
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", key.text) == .ok)
        }
    }

    @Test("the last use of a key is written at most once in ten minutes")
    func lastUse() async throws {
        try await Self.run(.support) { site, browser, client async throws in
            let key = try await site.token(of: .support)
            func written() async throws -> (Date?, String) {
                try #require(
                    try await site.pool.query("SELECT last_used_at, xmin::text FROM staff_tokens").first
                ).decode(Date?.self, String.self)
            }
            #expect(try await written().0 == nil)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", key.text) == .ok)
            let first = try await written()
            #expect(first.0 == TestSite.firstMoment)
            for _ in 0..<5 {
                site.clock.advance(by: 100)
                #expect(try await site.call(.get, "/admin/orders?app=readmigo", key.text) == .ok)
            }
            #expect(try await written() == first)
            site.clock.advance(by: 101)
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", key.text) == .ok)
            #expect(try await written().0 == TestSite.firstMoment.addingTimeInterval(601))
        }
    }

    @Test(
        "a new password revokes the account's keys, unless it is ticked that they stay",
        arguments: ["account", "link"],
        [false, true]
    )
    func reset(_ way: String, _ keeps: Bool) async throws {
        try await Self.run(.support) { site, browser, client async throws in
            let key = try await site.token(of: .support)
            let foreign = try await site.token(of: .admin)
            let tick = keeps ? [("keep-keys", "yes")] : []
            if way == "account" {
                #expect(try await browser.get("/dashboard/account").text.contains("Keep 1 API key active"))
                let fields = [("old", TestSite.password), ("password", "another good password")] + tick
                let done = try await browser.submit("/dashboard/account/password", fields, from: "/dashboard/account")
                #expect(done.status == .seeOther)
            } else {
                let staff = try await site.backOffice.staff("support@example.com").id
                let reason = try Reason(category: "other", text: "forgot your password")
                let link = try await site.backOffice.sendPasswordReset(staff, reason: reason, caller: .commandLine)
                let path = "/dashboard/welcome/\(try #require(link).token)"
                #expect(try await browser.get(path).text.contains("Keep 1 API key active"))
                let done = try await browser.submit(path, [("password", "another good password")] + tick, from: path)
                #expect(done.location == "/dashboard/sign-in")
            }
            let status = try await site.call(.get, "/admin/orders?app=readmigo", key.text)
            #expect(status == (keeps ? .ok : .unauthorized))
            #expect(try await site.call(.get, "/admin/orders?app=readmigo", foreign.text) == .ok)
            #expect(try await site.audit().filter { $0 == "token.revoke" }.count == (keeps ? 0 : 1))
        }
    }

    /// Adds a key for the matrix of permissions.
    static func addKey(of email: String, _ site: TestSite) async throws {
        _ = try await site.pool.query(
            """
            INSERT INTO staff_tokens (id, staff_id, name, token_hash, created_at)
            SELECT \(UUID(uuidString: key)), id, 'matrix', sha256('matrix'), now() FROM staff WHERE email = \(email)
            """
        )
    }

    private static func run(
        _ role: StaffRole,
        _ body: @escaping @Sendable (TestSite, Browser, TestClient) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin, .support)
            try await site.app.test(.live) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                try await body(site, browser, client)
            }
        }
    }
}
