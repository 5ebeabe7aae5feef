import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Secrets of the app's own login, as pages") struct IssuerSecretsPagesTests {
    private static let stores = "/dashboard/stores"
    private static let path = "/dashboard/token-issuer/secrets"
    private static let secret = "a secret of the login that nobody sees again"

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("a secret is uploaded, a second one beside it, and each is removed; neither is shown again")
    func upload() async throws {
        try await run(.admin) { site, browser in
            try await site.addIssuer()
            let missing = try await browser.get(Self.stores)
            #expect(missing.text.contains("The app’s own login"))
            #expect(missing.text.contains("https://login.example.com"))
            #expect(missing.text.contains("href=\"\(Self.path)\""))
            for number in 1...2 {
                let form = [("sharedSecret", "\(Self.secret) \(number)"), ("key", "upload \(number)")]
                #expect(try await browser.submit(Self.path, form).location == Self.stores)
                let page = try await browser.get(Self.stores)
                #expect(page.text.contains("Secret saved."))
                #expect(!page.text.contains(Self.secret))
                #expect(page.text.contains("Upload a second") == (number == 1))
                // The same form sent again has the same result.
                #expect(try await browser.submit(Self.path, form).location == Self.stores)
                #expect(try await site.count("token_issuer_secrets") == number)
            }
            #expect(try await browser.get(Self.path).text.contains("Two secrets are live. Remove one first."))
            let third = try await browser.submit(Self.path, [("sharedSecret", Self.secret), ("key", "upload 3")])
            #expect(third.status == .conflict)
            #expect(!third.text.contains(Self.secret))
            let rows = try await site.lines(
                """
                SELECT t::text FROM token_issuer_secrets t
                UNION ALL SELECT e::text FROM audit_entries e
                UNION ALL SELECT k::text FROM idempotency_keys k
                """
            )
            #expect(rows.contains { $0.contains("token_issuer.secret_add") })
            #expect(rows.allSatisfy { !$0.contains(Self.secret) })

            for id in try await site.lines("SELECT id::text FROM token_issuer_secrets") {
                let removal = "\(Self.path)/\(id)/removal"
                #expect(try await browser.get(removal).text.contains("Remove the uploaded shared secret?"))
                #expect(try await browser.submit(removal, [("key", id)]).status == .unprocessableContent)
                let why = [("category", "testing"), ("reason", "It was for a test alone."), ("key", id)]
                #expect(try await browser.submit(removal, why).location == Self.stores)
                #expect(try await browser.get(removal).status == .notFound)
            }
            #expect(try await site.count("token_issuer_secrets") == 0)
            #expect(
                try await site.audit().suffix(4)
                    == [
                        "token_issuer.secret_add", "token_issuer.secret_add", "token_issuer.secret_remove",
                        "token_issuer.secret_remove",
                    ]
            )
        }
    }

    @Test("what is no secret is refused by its field, and does not stand in the answer")
    func refused() async throws {
        try await run(.admin) { site, browser in
            try await site.addIssuer()
            for text in [
                "", "1.5", "9223372036854775808", "-9223372036854775808", String(repeating: "s", count: 1_025),
            ] {
                let answer = try await browser.submit(Self.path, [("sharedSecret", text), ("key", "a")])
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("href=\"#field-sharedSecret\""), "\(text.prefix(40))")
                #expect(text.count < 10 || !answer.text.contains(text))
            }
            let long = String(repeating: "s", count: 100_000)
            let status = try await browser.submit(Self.path, [("sharedSecret", long), ("key", "a")]).status.code
            #expect([413, 422].contains(status))
            #expect(try await site.count("token_issuer_secrets") == 0)
        }
    }

    @Test("a login whose keys the catalogue names takes no secret, and an app without one has no form")
    func named() async throws {
        try await run(.admin) { site, browser in
            #expect(try await browser.get(Self.path).location == Self.stores)
            let without = try await browser.submit(Self.path, [("sharedSecret", Self.secret), ("key", "a")])
            #expect(without.status == .conflict)
            #expect(try await !browser.get(Self.stores).text.contains("The app’s own login"))
            try await site.addIssuer()
            _ = try await site.pool.query("UPDATE token_issuers SET sealed_secret = '\\x00'")
            let form = try await browser.get(Self.path)
            #expect(form.text.contains("The app’s catalog names the keys of its login"))
            #expect(!form.text.contains("type=\"password\""))
            let answer = try await browser.submit(Self.path, [("sharedSecret", Self.secret), ("key", "b")])
            #expect(answer.status == .conflict)
            #expect(try await site.count("token_issuer_secrets") == 0)
        }
    }

    @Test("a secret is uploaded by whoever proved lately who they are, and is not kept for later")
    func reauthentication() async throws {
        try await run(.admin) { site, browser in
            try await site.addIssuer()
            let token = try await browser.get(Self.stores).formToken ?? ""
            site.clock.advance(by: 11 * 60)
            let form = [("csrf", token), ("sharedSecret", Self.secret), ("key", "a")]
            let answer = try await browser.post(Self.path, form)
            #expect(answer.status == .seeOther)
            #expect(answer.location == "/dashboard/identity?next=%2Fdashboard%2Ftoken-issuer%2Fsecrets")
            #expect(!answer.text.contains(Self.secret))
            #expect(try await site.count("token_issuer_secrets") == 0)
        }
    }

    @Test("others see how the login is connected, and cannot change it")
    func support() async throws {
        try await run(.support) { site, browser in
            try await site.addIssuer(withSecret: true)
            let page = try await browser.get(Self.stores)
            #expect(page.text.contains("https://login.example.com"))
            #expect(page.text.contains("Unreadable"))
            #expect(!page.text.contains(Self.path))
        }
    }
}
