import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

/// Checks over real connections that strangers do not lock out a browser that has signed in before.
@Suite("Known devices") struct KnownDeviceTests {
    private static let email = "admin@example.com"

    @Test("five wrong guesses of a stranger keep nobody out who has signed in from their browser before")
    func strangersGuess() async throws {
        try await Self.run { site, client async throws in
            let (known, stranger) = (Browser(client), Browser(client))
            #expect(try await known.signIn(Self.email).status == .seeOther)
            known.cookies["perennial"] = nil
            for _ in 0..<5 { #expect(try await stranger.signIn(Self.email, "a wrong guess").status == .unauthorized) }
            #expect(try await stranger.signIn(Self.email).status == .tooManyRequests)
            #expect(try await Browser(client).signIn(Self.email).status == .tooManyRequests)
            #expect(try await known.signIn(Self.email).status == .seeOther)
            // It does not help the stranger either.
            #expect(try await stranger.signIn(Self.email).status == .tooManyRequests)
        }
    }

    @Test("a whole network of strangers behind one address keeps nobody out who has signed in before")
    func networkOfStrangers() async throws {
        try await Self.run { site, client async throws in
            let known = Browser(client)
            #expect(try await known.signIn(Self.email).status == .seeOther)
            for guess in 0..<20 {
                #expect(
                    try await Browser(client).signIn("user\(guess)@example.com", "a wrong guess").status
                        == .unauthorized
                )
            }
            #expect(try await Browser(client).signIn("other@example.com").status == .tooManyRequests)
            // A signed-in person who confirms their identity again is not kept out either.
            let proof = try await known.submit(
                "/dashboard/identity",
                [("password", TestSite.password), ("next", "/dashboard")]
            )
            #expect(proof.status == .seeOther)
            known.cookies["perennial"] = nil
            #expect(try await known.signIn(Self.email).status == .seeOther)
        }
    }

    @Test("a known browser that guesses is stopped itself, and keeps nobody else out")
    func knownGuesses() async throws {
        try await Self.run { site, client async throws in
            let (known, other) = (Browser(client), Browser(client))
            for browser in [known, other] { #expect(try await browser.signIn(Self.email).status == .seeOther) }
            for browser in [known, other] { browser.cookies["perennial"] = nil }
            for _ in 0..<5 { #expect(try await known.signIn(Self.email, "a wrong guess").status == .unauthorized) }
            let blocked = try await known.signIn(Self.email)
            #expect(blocked.status == .tooManyRequests)
            #expect(blocked.headers[.retryAfter] == "60")
            #expect(try await other.signIn(Self.email).status == .seeOther)
            #expect(try await Browser(client).signIn(Self.email).status == .seeOther)
            site.clock.advance(by: 61)
            #expect(try await known.signIn(Self.email).status == .seeOther)
        }
    }

    @Test("a browser is known to the accounts that signed in from it, to no others, and under a new token each time")
    func boundToAccount() async throws {
        try await Self.run { site, client async throws in
            try await site.addStaff(.support)
            let (shared, stranger) = (Browser(client), Browser(client))
            #expect(try await shared.signIn(Self.email).status == .seeOther)
            let first = try #require(shared.cookies["perennial-device"])
            for _ in 0..<5 { _ = try await stranger.signIn("support@example.com", "a wrong guess") }
            shared.cookies["perennial"] = nil
            #expect(try await shared.signIn("support@example.com").status == .tooManyRequests)
            site.clock.advance(by: 61)
            #expect(try await shared.signIn("support@example.com").status == .seeOther)
            #expect(shared.cookies["perennial-device"] != first)
            for email in [Self.email, "support@example.com"] {
                for _ in 0..<5 { _ = try await stranger.signIn(email, "a wrong guess") }
                shared.cookies["perennial"] = nil
                #expect(try await shared.signIn(email).status == .seeOther)
            }
            // A token that was copied earlier is a stranger's.
            stranger.cookies["perennial-device"] = first
            #expect(try await stranger.signIn(Self.email).status == .tooManyRequests)
        }
    }

    @Test("a token that nobody issued, of another account or forged, is a stranger's")
    func forged() async throws {
        try await Self.run { site, client async throws in
            let stranger = Browser(client)
            stranger.cookies["perennial-device"] = SecretToken.random().description
            for _ in 0..<5 { _ = try await stranger.signIn(Self.email, "a wrong guess") }
            for token in [SecretToken.random().description, "", "x", String(repeating: "0", count: 10_000)] {
                stranger.cookies["perennial-device"] = token
                #expect(try await stranger.signIn(Self.email).status == .tooManyRequests)
            }
        }
    }

    @Test(
        "a password reset, signing out everywhere and a year without signing in make a known browser a stranger",
        arguments: ["reset", "link", "everywhere", "others", "shut", "year"]
    )
    func forgotten(_ way: String) async throws {
        try await Self.run { site, client async throws in
            let (known, stranger) = (Browser(client), Browser(client))
            #expect(try await known.signIn(Self.email).status == .seeOther)
            known.cookies["perennial"] = nil
            #expect(try await site.count("staff_devices") == 1)
            let staff = try await site.backOffice.staff(Self.email)
            let reason = try Reason(category: "other", text: "This is a test of what happens.")
            var password = TestSite.password
            switch way {
            case "reset":
                password = "another long password"
                try await site.backOffice.setPassword(of: Self.email, to: password, caller: .commandLine)
            case "link":
                password = "another long password"
                let link = try await site.backOffice.sendPasswordReset(staff.id, reason: reason, caller: .commandLine)
                // The browser that had the link is no stranger, whatever strangers do meanwhile.
                let own = Browser(client)
                try await Self.use(try #require(link), password, in: own)
                #expect(try await site.count("staff_devices") == 1)
                for _ in 0..<5 { _ = try await stranger.signIn(Self.email, "a wrong guess") }
                #expect(try await own.signIn(Self.email, password).status == .seeOther)
            case "everywhere":
                try await site.backOffice.change(staff.id, .endSessions, reason: reason, caller: .commandLine)
            case "others":
                let own = Browser(client)
                #expect(try await own.signIn(Self.email).status == .seeOther)
                _ = try await own.submit(
                    "/dashboard/account/ended-sessions",
                    [("session", "others")],
                    from: "/dashboard/account"
                )
                #expect(try await site.count("staff_devices") == 1)
                own.cookies["perennial"] = nil
                for _ in 0..<5 { _ = try await stranger.signIn(Self.email, "a wrong guess") }
                #expect(try await own.signIn(Self.email).status == .seeOther)
            case "shut":
                _ = try await site.addPerson(.admin, apps: nil)
                try await site.backOffice.change(staff.id, .disable, reason: reason, caller: .commandLine)
                try await site.backOffice.change(staff.id, .enable, reason: reason, caller: .commandLine)
            default:
                site.clock.advance(by: BackOffice.deviceMemory + 1)
            }
            for _ in 0..<5 { _ = try await stranger.signIn(Self.email, "a wrong guess") }
            #expect(try await known.signIn(Self.email, password).status == .tooManyRequests)
            _ = try await site.backOffice.sweepSignIns()
            if !["link", "others"].contains(way) { #expect(try await site.count("staff_devices") == 0) }
        }
    }

    @Test(
        "the cookie is out of reach of scripts, kept for a year, bound to the host over TLS, and kept by us as a hash"
    )
    func cookie() async throws {
        for url in [nil, "https://office.example.com"] as [String?] {
            try await TestSite.run(publicURL: url) { site in
                try await site.addStaff(.admin)
                try await site.app.test(.live) { client async throws in
                    let name = url == nil ? "perennial-device" : "__Host-perennial-device"
                    let headers: HTTPFields = url.map { [.origin: $0] } ?? [:]
                    let answer = try await Browser(client).signIn(Self.email, headers: headers)
                    let cookie = try #require(answer.cookie(name))
                    #expect(cookie.contains("; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax"))
                    #expect(cookie.hasSuffix("; Secure") == (url != nil))
                    let token = cookie.prefix { $0 != ";" }.dropFirst(name.count + 1)
                    let kept = try await site.pool.query("SELECT encode(token_hash, 'hex') FROM staff_devices").first?
                        .decode(0, as: String.self)
                    #expect(kept == SecretToken(token)?.hash.hexadecimal)
                }
            }
        }
    }

    @Test("who knows the password and guesses codes keeps nobody from their second factor on a known browser")
    func codes() async throws {
        try await Self.run { site, client async throws in
            let (known, stranger) = (Browser(client), Browser(client))
            #expect(try await known.signIn(Self.email).status == .seeOther)
            _ = try await known.submit("/dashboard/account/two-factor", [], from: "/dashboard/account/two-factor")
            let totp = try await site.totp(of: Self.email)
            let on = try await known.submit(
                "/dashboard/account/two-factor/code",
                [("code", site.code(totp))],
                from: "/dashboard/account/two-factor"
            )
            #expect(on.status == .ok)
            #expect(try await stranger.signIn(Self.email).location == "/dashboard/sign-in/code")
            func finish(_ browser: Browser, _ code: String) async throws -> HTTPResponse.Status {
                try await browser.submit("/dashboard/sign-in/code", [("code", code)], from: "/dashboard/sign-in/code")
                    .status
            }
            for _ in 0..<5 { #expect(try await finish(stranger, "000000") == .unauthorized) }
            for _ in 0..<3 { #expect(try await finish(stranger, "000000") == .tooManyRequests) }
            #expect(try await site.audit().count { $0 == "session.throttle" } == 1)
            known.cookies["perennial"] = nil
            #expect(try await known.signIn(Self.email).location == "/dashboard/sign-in/code")
            site.clock.advance(by: 31)
            #expect(try await finish(known, site.code(totp)) == .seeOther)
        }
    }

    @Test("who has set a password with a link still owes the second factor, and is not kept out by strangers")
    func linkAndCode() async throws {
        try await Self.run { site, client async throws in
            let (old, stranger, own) = (Browser(client), Browser(client), Browser(client))
            #expect(try await old.signIn(Self.email).status == .seeOther)
            _ = try await old.submit("/dashboard/account/two-factor", [], from: "/dashboard/account/two-factor")
            let totp = try await site.totp(of: Self.email)
            _ = try await old.submit(
                "/dashboard/account/two-factor/code",
                [("code", site.code(totp))],
                from: "/dashboard/account/two-factor"
            )
            let staff = try await site.backOffice.staff(Self.email)
            let reason = try Reason(category: "other", text: "This is a test of what happens.")
            let link = try await site.backOffice.sendPasswordReset(staff.id, reason: reason, caller: .commandLine)
            try await Self.use(try #require(link), "another long password", in: own)
            #expect(try await own.get("/dashboard/orders").status == .seeOther)
            let step = "/dashboard/sign-in/code"
            #expect(try await stranger.signIn(Self.email, "another long password").location == step)
            for _ in 0..<5 { _ = try await stranger.submit(step, [("code", "000000")], from: step) }
            for _ in 0..<5 { _ = try await stranger.signIn(Self.email, "a wrong guess") }
            #expect(try await own.signIn(Self.email, "another long password").location == step)
            #expect(try await own.submit(step, [("code", "000000")], from: step).status == .unauthorized)
            site.clock.advance(by: 31)
            #expect(try await own.submit(step, [("code", site.code(totp))], from: step).status == .seeOther)
        }
    }

    @Test("who was invited is known in the browser that had the link, and so is who was known there before")
    func invitation() async throws {
        try await Self.run { site, client async throws in
            let (shared, stranger) = (Browser(client), Browser(client))
            #expect(try await shared.signIn(Self.email).status == .seeOther)
            shared.cookies["perennial"] = nil
            let before = try #require(shared.cookies["perennial-device"])
            let link = try await site.backOffice.inviteStaff(
                email: "new@example.com",
                name: "Nia New",
                role: .support,
                apps: nil,
                reason: try Reason(category: "other", text: "This is a test of what happens."),
                caller: .commandLine
            )
            try await Self.use(try #require(link), "another long password", in: shared)
            #expect(shared.cookies["perennial-device"] != before)
            for email in [Self.email, "new@example.com"] {
                for _ in 0..<5 { _ = try await stranger.signIn(email, "a wrong guess") }
            }
            #expect(try await shared.signIn("new@example.com", "another long password").status == .seeOther)
            shared.cookies["perennial"] = nil
            #expect(try await shared.signIn(Self.email).status == .seeOther)
        }
    }

    @Test("an account remembers its twenty newest browsers")
    func bounded() async throws {
        try await Self.run { site, client async throws in
            for _ in 0..<23 {
                #expect(try await Browser(client).signIn(Self.email).status == .seeOther)
                site.clock.advance(by: 1)
            }
            #expect(try await site.count("staff_devices") == 20)
        }
    }

    /// Sets the password on the page behind a link.
    private static func use(_ link: StaffInvitation, _ password: String, in browser: Browser) async throws {
        let page = "/dashboard/welcome/\(link.token)"
        let answer = try await browser.submit(page, [("password", password)], from: page)
        #expect(answer.location == "/dashboard/sign-in")
        let cookie = try #require(answer.cookie("perennial-device"))
        #expect(cookie.contains("; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax"))
        #expect(answer.cookie("perennial") == nil)
    }

    private static func run(
        _ body: @escaping @Sendable (TestSite, TestClient) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.live) { client async throws in try await body(site, client) }
        }
    }
}
