import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("One's own account") struct AccountTests {
    @Test("two-factor sign-in is set up with a QR code and a first code, and then asked for")
    func twoFactor() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let begun = try await browser.submit("/dashboard/account/two-factor", [], from: "/dashboard/account")
            #expect(begun.location == "/dashboard/account/two-factor")
            let page = try await browser.get("/dashboard/account/two-factor").text
            let totp = try await site.totp(of: "admin@example.com")
            #expect(page.contains("<svg class=\"qr\""))
            #expect(page.replacing(" ", with: "").contains(totp.secretText))
            let path = "/dashboard/account/two-factor/code"
            let wrong = try await browser.submit(path, [("code", "000000")], from: "/dashboard/account/two-factor")
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("<title>Error: "))
            let first = site.code(totp)
            let on = try await browser.submit(path, [("code", first)], from: "/dashboard/account/two-factor")
            #expect(on.status == .ok)
            #expect(on.text.split(separator: "<li>").count >= 11)
            let other = Browser(client)
            let half = try await other.signIn("admin@example.com", next: "/dashboard/orders?status=completed")
            #expect(half.location == "/dashboard/sign-in/code?next=%2Fdashboard%2Forders%3Fstatus%3Dcompleted")
            #expect(other.cookies["perennial"] == nil)
            #expect(try await other.get("/dashboard/orders").status == .seeOther)
            let step = try #require(half.location)
            let reused = try await other.submit("/dashboard/sign-in/code", [("code", first)], from: step)
            #expect(reused.status == .unauthorized)
            site.clock.advance(by: 30)
            let fields = [("code", site.code(totp)), ("next", "/dashboard/orders?status=completed")]
            let inside = try await other.submit("/dashboard/sign-in/code", fields, from: step)
            #expect(inside.location == "/dashboard/orders?status=completed")
            #expect(other.cookies["perennial-half"] == nil)
            #expect(try await other.get("/dashboard/orders").status == .ok)
        }
    }

    @Test("where a second factor is required of a role, everything leads to it until it is there")
    func required() async throws {
        try await TestSite.run(requiredTwoFactor: [.admin]) { site in
            try await site.addStaff(.admin)
            try await site.addStaff(.support)
            try await site.app.test(.router) { client async throws in
                let (admin, support) = (Browser(client), Browser(client))
                _ = try await admin.signIn("admin@example.com")
                _ = try await support.signIn("support@example.com")
                #expect(try await support.get("/dashboard/orders").status == .ok)
                let setUp = "/dashboard/account/two-factor"
                for path in ["/dashboard/orders", "/dashboard/account", "/dashboard/staff"] {
                    #expect(try await admin.get(path).location == setUp)
                }
                _ = try await admin.submit(setUp, [], from: setUp)
                let code = site.code(try await site.totp(of: "admin@example.com"))
                #expect(try await admin.submit(setUp + "/code", [("code", code)], from: setUp).status == .ok)
                #expect(try await admin.get("/dashboard/orders").status == .ok)
            }
        }
    }

    @Test("a half-open session opens nothing, even as a session cookie, and its form takes no foreign token")
    func halfOpen() async throws {
        try await Self.signedIn { site, browser, client async throws in
            try await Self.turnOn(site, browser)
            let other = Browser(client)
            _ = try await other.signIn("admin@example.com")
            let half = try #require(other.cookies["perennial-half"])
            let thief = Browser(client)
            thief.cookies = ["perennial": half]
            for path in ["/dashboard/orders", "/dashboard/account", "/dashboard/account/two-factor"] {
                #expect(try await thief.get(path).location?.hasPrefix("/dashboard/sign-in") == true)
            }
            let forged = try await other.post("/dashboard/sign-in/code", [("csrf", "00"), ("code", "123456")])
            #expect(forged.status == .forbidden)
            #expect(try await Browser(client).get("/dashboard/sign-in/code").location == "/dashboard/sign-in")
        }
    }

    @Test("the password changes with the old one alone; other sessions end, this one goes on under a new token")
    func password() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let other = Browser(client)
            _ = try await other.signIn("admin@example.com")
            let path = "/dashboard/account/password"
            let wrong = try await browser.submit(path, [("old", "nonsense"), ("password", "another good password")])
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("Incorrect password."))
            let short = try await browser.submit(path, [("old", TestSite.password), ("password", "short")])
            #expect(short.status == .unprocessableContent)
            #expect(try await other.get("/dashboard/orders").status == .ok)
            let before = browser.cookies["perennial"]
            let fields = [("old", TestSite.password), ("password", "another good password")]
            #expect(try await browser.submit(path, fields).location == "/dashboard/account")
            #expect(browser.cookies["perennial"] != before)
            #expect(try await browser.get("/dashboard/account").text.contains("Password changed"))
            #expect(try await other.get("/dashboard/orders").status == .seeOther)
            #expect(try await Browser(client).signIn("admin@example.com").status == .unauthorized)
        }
    }

    @Test("wrong old passwords are counted as wrong sign-ins are")
    func passwordThrottle() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let path = "/dashboard/account/password"
            for _ in 0..<5 {
                let answer = try await browser.submit(path, [("old", "x"), ("password", "another good password")])
                #expect(answer.status == .unprocessableContent)
            }
            let fields = [("old", TestSite.password), ("password", "another good password")]
            for _ in 0..<3 { #expect(try await browser.submit(path, fields).status == .tooManyRequests) }
            #expect(try await site.audit().count { $0 == "session.throttle" } == 1)
        }
    }

    @Test("sessions are listed with device and address, and end one by one or all others at once")
    func sessions() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let others = [Browser(client), Browser(client), Browser(client)]
            for other in others {
                _ = try await other.signIn(
                    "admin@example.com",
                    headers: [.userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0 <b>"]
                )
            }
            let page = try await browser.get("/dashboard/account").text
            #expect(page.split(separator: "Firefox on Linux").count == 7)
            #expect(page.contains("this session"))
            let ids = page.split(separator: "name=\"session\" value=\"").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
            #expect(ids.count == 4)
            let path = "/dashboard/account/ended-sessions"
            #expect(try await browser.submit(path, [("session", ids[0])]).location == "/dashboard/account")
            func alive() async throws -> Int {
                var count = 0
                for other in others where try await other.get("/dashboard/orders").status == .ok { count += 1 }
                return count
            }
            #expect(try await alive() == 2)
            _ = try await browser.submit(path, [("session", "others")])
            #expect(try await alive() == 0)
            #expect(try await browser.get("/dashboard/orders").status == .ok)
            #expect(try await browser.submit(path, [("session", "x")]).status == .unprocessableContent)
        }
    }

    @Test("nobody ends the session of somebody else")
    func foreignSession() async throws {
        try await Self.signedIn { site, browser, client async throws in
            try await site.addStaff(.support)
            let other = Browser(client)
            _ = try await other.signIn("support@example.com")
            let rows = try await site.pool.query(
                "SELECT s.id::text FROM staff_sessions s JOIN staff t ON t.id = s.staff_id WHERE t.role = 'support'"
            )
            let id = try #require(rows.first).decode(0, as: String.self)
            _ = try await browser.submit("/dashboard/account/ended-sessions", [("session", id)])
            #expect(try await other.get("/dashboard/orders").status == .ok)
        }
    }

    @Test(
        "what is sensitive asks after ten minutes who is there, and goes on afterwards; the old token is good no more"
    )
    func fresh() async throws {
        try await Self.signedIn { site, browser, client async throws in
            try await Self.turnOn(site, browser)
            #expect(try await browser.get("/dashboard/account/two-factor").status == .ok)
            site.clock.advance(by: 601)
            let asked = try await browser.get("/dashboard/account/two-factor")
            #expect(asked.location == "/dashboard/identity?next=%2Fdashboard%2Faccount%2Ftwo-factor")
            let kept = try await browser.submit("/dashboard/account/recovery-codes", [("note", "a & b=ü")])
            #expect(kept.status == .ok)
            #expect(kept.text.contains("Confirm it's you"))
            #expect(kept.text.contains("name=\"kept\" value=\"note=a%20%26%20b%3D%C3%BC\""))
            let fields = [("next", "/dashboard/account/recovery-codes"), ("kept", "note=a%20%26%20b%3D%C3%BC")]
            let wrong = try await browser.submit("/dashboard/identity", fields + [("password", "wrong")])
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("name=\"kept\" value=\"note=a%20%26%20b%3D%C3%BC\""))
            let old = browser.cookies
            let right = try await browser.submit("/dashboard/identity", fields + [("password", TestSite.password)])
            #expect(right.status == .ok)
            #expect(right.text.contains("action=\"/dashboard/account/recovery-codes\""))
            #expect(right.text.contains("name=\"note\" value=\"a &amp; b=ü\""))
            let thief = Browser(client)
            thief.cookies = old
            #expect(try await thief.get("/dashboard/orders").status == .seeOther)
            let csrf = try #require(right.text.split(separator: "name=\"csrf\" value=\"").last?.prefix { $0 != "\"" })
            let done = try await browser.post("/dashboard/account/recovery-codes", [("csrf", String(csrf))])
            #expect(done.text.contains("Your recovery codes"))
        }
    }

    @Test("who is asked leads nowhere but into the dashboard")
    func openRedirect() async throws {
        try await Self.signedIn { site, browser, client async throws in
            for next in ["https://evil.example", "//evil.example", "/dashboard/..//evil.example"] {
                let fields = [("next", next), ("password", TestSite.password)]
                let answer = try await browser.submit("/dashboard/identity", fields)
                #expect(answer.location == "/dashboard")
            }
        }
    }

    @Test("two-factor sign-in goes off with password and code")
    func off() async throws {
        try await Self.signedIn { site, browser, client async throws in
            let totp = try await Self.turnOn(site, browser)
            site.clock.advance(by: 60)
            let path = "/dashboard/account/two-factor/removal"
            let wrong = try await browser.submit(path, [("password", TestSite.password), ("code", "1")], from: path)
            #expect(wrong.status == .unprocessableContent)
            let fields = [("password", TestSite.password), ("code", site.code(totp))]
            #expect(try await browser.submit(path, fields, from: path).location == "/dashboard/account")
            #expect(try await Browser(client).signIn("admin@example.com").location == "/dashboard")
            let actions = try await site.audit().filter { $0.hasPrefix("two_factor") }
            #expect(actions == ["two_factor.begin", "two_factor.on", "two_factor.off"])
        }
    }

    @discardableResult
    private static func turnOn(_ site: TestSite, _ browser: Browser) async throws -> TOTP {
        _ = try await browser.submit("/dashboard/account/two-factor", [], from: "/dashboard/account")
        let totp = try await site.totp(of: "admin@example.com")
        let fields = [("code", site.code(totp))]
        let answer = try await browser.submit(
            "/dashboard/account/two-factor/code",
            fields,
            from: "/dashboard/account/two-factor"
        )
        #expect(answer.status == .ok)
        return totp
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
