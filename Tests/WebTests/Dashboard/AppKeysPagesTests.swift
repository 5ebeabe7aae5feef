import Foundation
import HTTPTypes
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Secret keys, as pages") struct AppKeysPagesTests {
    private static let path = "/dashboard/app-keys"
    private static let form = "\(path)/new"
    private static let reason = [("category", "other"), ("reason", "the server has the new key")]

    @Test("an admin makes a key, sees it once, and it works; sent twice it is one key")
    func create() async throws {
        try await Self.run { site, browser in
            #expect(try await browser.get("/dashboard/stores").text.contains("href=\"\(Self.path)\""))
            #expect(try await browser.get(Self.path).text.contains("No secret keys yet."))
            let fields = [("name", "Till <1>"), ("scope", "usage:write"), ("scope", "customers:read"), ("key", "a")]
            let shown = try await browser.submit(Self.path, fields, from: Self.form)
            #expect(shown.status == .ok)
            let text = try #require(Self.key(in: shown.text))
            let key = try #require(try await site.backOffice.appKey(text))
            #expect(key.name == "Till <1>" && key.slug == "readmigo")
            #expect(key.scopes == [.writeUsage, .readCustomers])
            let again = try await browser.submit(Self.path, fields, from: Self.form)
            #expect(again.location == Self.path)
            #expect(try await site.count("app_keys") == 1)
            let list = try await browser.get(Self.path)
            #expect(list.text.contains("1 active key") && list.text.contains("Till &lt;1&gt;"))
            #expect(list.text.contains("usage:write, customers:read"))
            #expect(list.text.contains("by admin@example.com"))
            #expect(!list.text.contains(text))
            // It opens no call of the admin API.
            let asked = try await browser.client.executeRequest(
                uri: "/admin/orders?app=readmigo",
                method: .get,
                headers: [.authorization: "Bearer \(text)"],
                body: nil
            )
            #expect(asked.status == .unauthorized)
            let rows = try await site.lines(
                "SELECT k::text FROM app_keys k UNION ALL SELECT e::text FROM audit_entries e"
            )
            #expect(rows.allSatisfy { !$0.contains(text.dropFirst(4)) })
            #expect(try await site.audit().filter { $0.hasPrefix("app_key.") } == ["app_key.issue"])
        }
    }

    @Test("what is wrong with a form is said by its field, and what was typed stays")
    func refused() async throws {
        try await Self.run { site, browser in
            let cases: [([(String, String)], [String])] = [
                ([], ["name", "scope"]),
                ([("name", "Till")], ["scope"]),
                ([("scope", "usage:write")], ["name"]),
                ([("name", "a\nb"), ("scope", "usage:write")], ["name"]),
                ([("name", String(repeating: "a", count: 101)), ("scope", "usage:write")], ["name"]),
                ([("name", "Till"), ("scope", "usage:read")], ["scope"]),
                ([("name", "Till"), ("scope", "usage:write"), ("scope", "9223372036854775808")], ["scope"]),
            ]
            for (fields, problems) in cases {
                let answer = try await browser.submit(Self.path, fields + [("key", "a")], from: Self.form)
                #expect(answer.status == .unprocessableContent)
                for field in ["name", "scope"] {
                    #expect(answer.text.contains("href=\"#field-\(field)\"") == problems.contains(field), "\(fields)")
                }
            }
            let typed = try await browser.submit(
                Self.path,
                [("name", "Till"), ("scope", "x"), ("scope", "tokens:mint")],
                from: Self.form
            )
            #expect(typed.text.contains("value=\"Till\""))
            #expect(typed.text.contains("value=\"tokens:mint\" checked"))
            #expect(!typed.text.contains("value=\"usage:write\" checked"))
            for name in ["\0", String(repeating: "a", count: 100_000)] {
                let answer = try await browser.submit(
                    Self.path,
                    [("name", name), ("scope", "usage:write")],
                    from: Self.form
                )
                #expect([400, 413, 422].contains(answer.status.code))
            }
            #expect(try await site.count("app_keys") == 0)
        }
    }

    @Test("a third key is refused with what to do, until one is revoked; then that one opens nothing")
    func rotate() async throws {
        try await Self.run { site, browser in
            var texts: [String] = []
            for number in 1...2 {
                let shown = try await Self.make("Server \(number)", "\(number)", browser)
                texts.append(try #require(Self.key(in: shown.text)))
            }
            let full = try await browser.get(Self.path)
            #expect(full.text.contains("Two keys are live. Revoke one first."))
            #expect(!full.text.contains("href=\"\(Self.form)\""))
            let third = try await Self.make("Server 3", "3", browser)
            #expect(third.status == .conflict)
            #expect(third.text.contains("Two keys are live. Revoke one first."))
            #expect(third.text.contains("value=\"Server 3\""))
            let key = try #require(try await site.backOffice.appKey(texts[0]))
            let revocation = "\(Self.path)/\(key.id)/revocation"
            #expect(try await browser.get(revocation).text.contains("Revoke secret key Server 1?"))
            let unreasoned = try await browser.submit(revocation, [("key", "r")], from: revocation)
            #expect(unreasoned.status == .unprocessableContent)
            #expect(try await site.backOffice.appKey(texts[0]) != nil)
            let done = try await browser.submit(revocation, [("key", "r")] + Self.reason, from: revocation)
            #expect(done.location == Self.path)
            #expect(try await browser.get(Self.path).text.contains("Secret key revoked."))
            #expect(try await site.backOffice.appKey(texts[0]) == nil)
            #expect(try await site.backOffice.appKey(texts[1]) != nil)
            #expect(try await Self.make("Server 3", "4", browser).status == .ok)
            let twice = try await browser.submit(revocation, [("key", "s")] + Self.reason, from: revocation)
            #expect(twice.status == .conflict)
            #expect(twice.text.contains("This key is already revoked."))
            #expect(try await site.audit().filter { $0 == "app_key.revoke" }.count == 1)
        }
    }

    @Test("a key of another app is not there, and who is no admin sees no keys")
    func foreign() async throws {
        try await Self.run { site, browser in
            try await site.addAppKey()
            let revocation = "\(Self.path)/\(TestSite.appKey)/revocation"
            #expect(try await browser.get(revocation).status == .ok)
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            #expect(try await browser.get(revocation).status == .notFound)
            let sent = try await browser.submit(revocation, [("key", "a")] + Self.reason, from: Self.path)
            #expect(sent.status == .notFound)
            #expect(try await browser.get(Self.path).text.contains("No secret keys yet."))
            for path in ["\(Self.path)/x/revocation", "\(Self.path)/0/revocation"] {
                #expect(try await browser.get(path).status == .notFound)
            }
            #expect(try await site.count("app_keys WHERE revoked_at IS NULL") == 1)
            try await site.addStaff(.support)
            let helper = Browser(browser.client)
            _ = try await helper.signIn("support@example.com")
            _ = try await helper.submit("/dashboard/app", [("app", "readmigo")])
            for path in [Self.path, Self.form, revocation] {
                #expect(try await helper.get(path).status == .forbidden)
            }
            #expect(!(try await helper.get("/dashboard/stores").text.contains(Self.path)))
        }
    }

    @Test("keys are made and revoked by who proved within the last ten minutes who they are")
    func reauthentication() async throws {
        try await Self.run { site, browser in
            try await site.addAppKey()
            site.clock.advance(by: 601)
            #expect(try await browser.get(Self.path).status == .ok)
            let revocation = "\(Self.path)/\(TestSite.appKey)/revocation"
            for path in [Self.form, revocation] {
                #expect(try await browser.get(path).location?.hasPrefix("/dashboard/identity") == true)
            }
            let made = try await browser.submit(
                Self.path,
                [("name", "Till"), ("scope", "usage:write")],
                from: Self.path
            )
            #expect(made.status == .ok && made.text.contains("Confirm it's you"))
            let revoked = try await browser.submit(revocation, [("key", "a")] + Self.reason, from: Self.path)
            #expect(revoked.status == .ok && revoked.text.contains("Confirm it's you"))
            #expect(try await site.count("app_keys WHERE revoked_at IS NULL") == 1)
            #expect(try await site.count("app_keys") == 1)
        }
    }

    @Test("every text of the pages is in every language", arguments: ["zh-Hans", "tr"])
    func languages(_ language: String) async throws {
        try await Self.run { site, browser in
            try await site.addAppKey()
            for (path, english) in [
                (Self.path, "Secret keys"), (Self.form, "Create a secret key?"),
                ("\(Self.path)/\(TestSite.appKey)/revocation", "Revoke key"),
            ] {
                let page = try await browser.get(path, headers: [.acceptLanguage: language])
                #expect(page.status == .ok && !page.text.contains(english), "\(path)")
            }
        }
    }

    /// Returns the key that a page shows.
    private static func key(in page: String) -> String? {
        page.firstMatch(of: /psk_[0-9a-f]{64}/).map { String($0.output) }
    }

    private static func make(_ name: String, _ key: String, _ browser: Browser) async throws -> TestResponse {
        try await browser.submit(path, [("name", name), ("scope", "usage:write"), ("key", key)], from: form)
    }

    private static func run(_ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }
}
