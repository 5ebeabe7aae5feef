import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Sessions") struct SessionTests {
    @Test("on the machine itself the cookie has no prefix and no Secure, but the other marks")
    func loopbackCookie() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let cookie = try await Browser(client).signIn("admin@example.com").cookie("perennial")
                #expect(cookie?.hasSuffix("; Max-Age=1209600; Path=/; HttpOnly; SameSite=Lax") == true)
                #expect(cookie?.contains("Secure") == false)
            }
        }
    }

    @Test("over TLS every cookie is Secure, HttpOnly, SameSite=Lax and carries the __Host- prefix")
    func secureCookies() async throws {
        try await TestSite.run(publicURL: "https://office.example.com") { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let page = try await browser.get("/dashboard/sign-in")
                let answer = try await browser.signIn("admin@example.com")
                let cookies = page.headers[values: .setCookie] + answer.headers[values: .setCookie]
                #expect(cookies.count == 4)
                for cookie in cookies {
                    #expect(cookie.hasPrefix("__Host-perennial"))
                    #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
                    #expect(!cookie.contains("Domain"))
                }
                #expect(try await browser.get("/dashboard/orders").status == .ok)
            }
        }
    }

    @Test("a session token brought along is not taken over: signing in makes a new one and ends the old")
    func fixation() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let planted = SecretToken.random().description
                browser.cookies = ["perennial": planted]
                _ = try await browser.signIn("admin@example.com")
                let first = browser.cookies["perennial"]
                #expect(first != nil && first != planted)
                let other = Browser(client)
                other.cookies = ["perennial": planted]
                #expect(try await other.get("/dashboard/orders").status == .seeOther)
                let token = try #require(first.flatMap { SecretToken($0) })
                _ = try await site.backOffice.signIn(
                    email: "admin@example.com",
                    password: TestSite.password,
                    replacing: token,
                    caller: .commandLine
                )
                other.cookies = ["perennial": token.description]
                #expect(try await other.get("/dashboard/orders").status == .seeOther)
            }
        }
    }

    @Test("the database keeps the token's SHA-256 and nothing that opens a session")
    func hashed() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                let token = try #require(browser.cookies["perennial"].flatMap { SecretToken($0) })
                let kept = try await site.pool.query("SELECT token_hash FROM staff_sessions").first?
                    .decode(0, as: [UInt8].self)
                #expect(kept == token.hash)
                #expect(kept != token.bytes)
            }
        }
    }

    @Test("signing out ends the session on the server, not only in the browser")
    func signOut() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                let stolen = browser.cookies
                let answer = try await browser.submit("/dashboard/sign-out", [])
                #expect(answer.status == .seeOther)
                #expect(browser.cookies["perennial"] == nil)
                let thief = Browser(client)
                thief.cookies = stolen
                #expect(try await thief.get("/dashboard/orders").status == .seeOther)
                #expect(try await site.audit() == ["staff.add", "session.open", "session.close"])
            }
        }
    }

    @Test("a session ends after twelve hours without use, and after fourteen days in any case")
    func limits() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                for _ in 0..<30 {
                    site.clock.advance(by: 11 * 3600)
                    #expect(try await browser.get("/dashboard/orders").status == .ok)
                }
                site.clock.advance(by: 7 * 3600)
                #expect(try await browser.get("/dashboard/orders").status == .seeOther)
                _ = try await browser.signIn("admin@example.com")
                site.clock.advance(by: 12 * 3600 + 1)
                #expect(try await browser.get("/dashboard/orders").status == .seeOther)
            }
        }
    }

    @Test("that a session is in use is written at most once a minute")
    func lastSeen() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                func seen() async throws -> Date? {
                    try await site.pool.query("SELECT last_seen_at FROM staff_sessions").first?.decode(0, as: Date.self)
                }
                _ = try await browser.signIn("admin@example.com")
                let start = try await seen()
                site.clock.advance(by: 59)
                _ = try await browser.get("/dashboard/orders")
                #expect(try await seen() == start)
                site.clock.advance(by: 2)
                _ = try await browser.get("/dashboard/orders")
                #expect(try await seen() == start?.addingTimeInterval(61))
            }
        }
    }

    @Test("a changed password ends every session")
    func changedPassword() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                try await site.backOffice.setPassword(
                    of: "admin@example.com",
                    to: "another good password",
                    caller: .commandLine
                )
                #expect(try await browser.get("/dashboard/orders").status == .seeOther)
                #expect(try await browser.signIn("admin@example.com", "another good password").status == .seeOther)
            }
        }
    }

    @Test("a person chooses app and theme; both last")
    func preferences() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                #expect(try await browser.get("/dashboard/orders").text.contains("Kombin"))
                let chosen = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                #expect(chosen.location == "/dashboard/orders")
                let theme = [("theme", "dark"), ("return_to", "/dashboard/orders?status=completed")]
                let themed = try await browser.submit("/dashboard/preferences", theme)
                #expect(themed.location == "/dashboard/orders?status=completed")
                #expect(browser.cookies["perennial-theme"] == "dark")
                let shortcuts = try await browser.submit("/dashboard/preferences", [("shortcuts", "off")])
                #expect(shortcuts.status == .seeOther)
                let spoken = try await browser.submit("/dashboard/preferences", [("language", "tr")])
                #expect(spoken.status == .seeOther)
                let page = try await browser.get("/dashboard/orders", headers: [.acceptLanguage: "zh-CN"])
                #expect(page.text.contains("<html lang=\"tr\" data-theme=\"dark\" data-shortcuts=\"off\">"))
                #expect(page.headers[.contentLanguage] == "tr")
                #expect(page.headers[.vary] == "Accept-Encoding, Accept-Language, Cookie")
                let unknown = try await browser.submit("/dashboard/preferences", [("language", "de")])
                #expect(unknown.status == .unprocessableContent)
                _ = try await browser.submit("/dashboard/preferences", [("language", "")])
                let asBrowser = try await browser.get("/dashboard/orders", headers: [.acceptLanguage: "zh-CN"])
                #expect(asBrowser.headers[.contentLanguage] == "zh-Hans")
                #expect(try await browser.submit("/dashboard/app", [("app", "nope")]).status == .notFound)
                let wrong = try await browser.submit("/dashboard/preferences", [("theme", "pink")])
                #expect(wrong.status == .unprocessableContent)
                let kept = try await site.pool.query(
                    "SELECT a.slug, t.theme FROM staff_sessions s JOIN apps a ON a.id = s.app_id JOIN staff t ON true"
                )
                let (app, choice) = try #require(kept.first).decode(String.self, String.self)
                #expect(app == "readmigo")
                #expect(choice == "dark")
            }
        }
    }

    @Test("what ended is swept away")
    func sweep() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            for password in [TestSite.password, "wrong password!"] {
                _ = try await site.backOffice.signIn(
                    email: "admin@example.com",
                    password: password,
                    caller: .commandLine
                )
            }
            #expect(try await site.backOffice.sweepSignIns() == (0, 0))
            site.clock.advance(by: 2 * 86_400)
            #expect(try await site.backOffice.sweepSignIns() == (1, 1))
        }
    }
}
