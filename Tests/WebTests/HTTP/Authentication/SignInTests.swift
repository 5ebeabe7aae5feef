import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Signing in") struct SignInTests {
    @Test("the right password opens the dashboard, and the audit log says so once")
    func rightPassword() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let answer = try await browser.signIn("admin@example.com")
                #expect(answer.status == .seeOther)
                #expect(answer.location == "/dashboard")
                let page = try await browser.get("/dashboard/orders")
                #expect(page.status == .ok)
                #expect(page.text.contains("Ada admin"))
                #expect(try await site.audit() == ["staff.add", "session.open"])
            }
        }
    }

    @Test("an e-mail address is the same in capitals and with spaces around it")
    func spelling() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let answer = try await Browser(client).signIn("  Admin@Example.COM ")
                #expect(answer.status == .seeOther)
            }
        }
    }

    @Test("a wrong password and an unknown account get the same page, and one audit entry each")
    func wrongPassword() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let wrong = try await Browser(client).signIn("admin@example.com", "wrong password!")
                let unknown = try await Browser(client).signIn("nobody@example.com", "wrong password!")
                #expect(wrong.status == .unauthorized)
                #expect(unknown.status == .unauthorized)
                #expect(Self.comparable(wrong, "admin@") == Self.comparable(unknown, "nobody@"))
                #expect(wrong.cookie("perennial") == nil)
                #expect(try await site.audit() == ["staff.add", "session.refuse", "session.refuse"])
                #expect(try await site.count("staff_sessions") == 0)
            }
        }
    }

    @Test("what was typed for an unknown account is written down nowhere")
    func typedSecrets() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                _ = try await Browser(client).signIn("my-secret-password@x", "my-secret-password")
                for table in ["audit_entries", "sign_in_failures"] {
                    let text = try await site.pool.query(
                        "SELECT coalesce(string_agg(t::text, ' '), '') FROM \(unsafe: table) t"
                    ).first?.decode(0, as: String.self)
                    #expect(text?.contains("secret") == false)
                }
            }
        }
    }

    @Test("an unknown account costs the same work as a known one")
    func sameWork() async throws {
        try await TestSite.run(passwordCost: .standard) { site in
            try await site.addStaff(.admin)
            let clock = ContinuousClock()
            func time(_ email: String) async throws -> Duration {
                try await clock.measure {
                    _ = try await site.backOffice.signIn(
                        email: email,
                        password: "wrong password!",
                        caller: .commandLine
                    )
                }
            }
            var (known, unknown) = (Duration.seconds(9), Duration.seconds(9))
            var isSame: Bool { unknown > known / 2 && known > unknown / 2 }
            // The fastest of each shows the cost of the work; on a busy machine that takes a few rounds.
            for round in 0..<60 where round < 4 || !isSame {
                known = min(known, try await time("admin@example.com"))
                unknown = min(unknown, try await time("nobody@example.com"))
                site.clock.advance(by: 1_000)
            }
            #expect(isSame)
        }
    }

    @Test("after five failures an account must wait a minute, also with the right password, then two")
    func throttle() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                for _ in 0..<5 {
                    #expect(try await browser.signIn("admin@example.com", "wrong password!").status == .unauthorized)
                }
                let blocked = try await browser.signIn("admin@example.com")
                #expect(blocked.status == .tooManyRequests)
                #expect(blocked.headers[.retryAfter] == "60")
                #expect(blocked.headers[.contentType]?.hasPrefix("text/html") == true)
                #expect(try await site.audit().suffix(2) == ["session.refuse", "session.throttle"])
                site.clock.advance(by: 61)
                #expect(try await browser.signIn("admin@example.com", "wrong password!").status == .unauthorized)
                #expect(try await browser.signIn("admin@example.com").headers[.retryAfter] == "120")
                site.clock.advance(by: 121)
                #expect(try await browser.signIn("admin@example.com").status == .seeOther)
                #expect(try await site.count("sign_in_failures") == 0)
            }
        }
    }

    @Test("who has to wait is written down once, however often they try, and again when it gets longer")
    func throttledOnce() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            for _ in 0..<5 { #expect(try await Self.outcome(site, "wrong password!") == "wrong") }
            let written = ["staff.add"] + Array(repeating: "session.refuse", count: 5) + ["session.throttle"]
            #expect(try await site.audit() == written)
            for _ in 0..<50 { #expect(try await Self.outcome(site, "wrong password!") == "blocked") }
            #expect(try await site.audit() == written)
            site.clock.advance(by: 61)
            #expect(try await Self.outcome(site, "wrong password!") == "wrong")
            #expect(try await Self.outcome(site, TestSite.password) == "blocked")
            #expect(try await site.audit() == written + ["session.refuse", "session.throttle"])
        }
    }

    @Test("a right password after four wrong ones has nobody wait, and the audit log says nothing of it")
    func lastTryIsRight() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            for _ in 0..<4 { #expect(try await Self.outcome(site, "wrong password!") == "wrong") }
            #expect(try await Self.outcome(site, TestSite.password) == "in")
            #expect(try await site.audit().suffix(2) == ["session.refuse", "session.open"])
        }
    }

    @Test("tries side by side get no more guesses than tries in a row")
    func parallelGuesses() async throws {
        try await TestSite.run(passwords: PasswordThreads(placesEach: 30)) { site in
            try await site.addStaff(.admin)
            let outcomes = try await withThrowingTaskGroup(of: SignInOutcome.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await site.backOffice.signIn(
                            email: "admin@example.com",
                            password: "wrong password!",
                            caller: .commandLine
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let checked = outcomes.filter { if case .wrong = $0 { true } else { false } }
            #expect(checked.count == 5)
        }
    }

    @Test("one address is stopped after twenty failures on any accounts, others are not")
    func throttledAddress() async throws {
        try await TestSite.run(trustedProxies: TrustedProxies("127.0.0.0/8")) { site in
            try await site.addStaff(.admin)
            try await site.app.test(.live) { client async throws in
                let browser = Browser(client)
                let attacker: HTTPFields = [.forwardedFor: "203.0.113.9"]
                for guess in 0..<20 {
                    let answer = try await browser.signIn(
                        "user\(guess)@example.com",
                        "wrong password!",
                        headers: attacker
                    )
                    #expect(answer.status == .unauthorized)
                }
                #expect(try await browser.signIn("admin@example.com", headers: attacker).status == .tooManyRequests)
                let faked: HTTPFields = [.forwardedFor: "198.51.100.7, 203.0.113.9"]
                #expect(try await browser.signIn("admin@example.com", headers: faked).status == .tooManyRequests)
                let other: HTTPFields = [.forwardedFor: "198.51.100.7"]
                #expect(try await browser.signIn("admin@example.com", headers: other).status == .seeOther)
            }
        }
    }

    @Test("a disabled account cannot sign in, and its sessions end at once")
    func disabled() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.support)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("support@example.com")
                #expect(try await browser.get("/dashboard/orders").status == .ok)
                _ = try await site.pool.query("UPDATE staff SET disabled_at = now()")
                #expect(try await browser.get("/dashboard/orders").status == .seeOther)
                #expect(try await browser.signIn("support@example.com").status == .unauthorized)
            }
        }
    }

    @Test("empty fields are named, and nothing is tried")
    func missingFields() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let answer = try await Browser(client).signIn("", "")
                #expect(answer.status == .unprocessableContent)
                #expect(try await site.count("audit_entries") == 0)
            }
        }
    }

    @Test("a password of 60,000 characters or with a NUL is just a wrong one, not a failure of ours")
    func strangePasswords() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let long = try await Browser(client).signIn("admin@example.com", String(repeating: "x", count: 60_000))
                #expect(long.status == .unauthorized)
                let longName = try await Browser(client).signIn(String(repeating: "x", count: 60_000), "x")
                #expect(longName.status == .unauthorized)
                let zero = try await Browser(client).signIn("admin@example.com", "a\0b")
                #expect(zero.status == .badRequest)
            }
        }
    }

    private static func outcome(_ site: TestSite, _ password: String) async throws -> String {
        let email = "admin@example.com"
        return switch try await site.backOffice.signIn(email: email, password: password, caller: .commandLine) {
        case .signedIn: "in"
        case .mfaRequired: "owes a code"
        case .wrong: "wrong"
        case .blocked: "blocked"
        }
    }

    /// Returns the page without the parts that have to differ: the form's token and the address typed.
    private static func comparable(_ answer: TestResponse, _ name: String) -> String {
        answer.text.replacing(answer.formToken ?? "-", with: "").replacing(name, with: "")
            .replacing(answer.headers[.requestID] ?? "-", with: "")
    }
}
