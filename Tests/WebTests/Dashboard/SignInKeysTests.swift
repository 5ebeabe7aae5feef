import Billing
import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Keys for signing in with WeChat and Alipay, as pages") struct SignInKeysTests {
    private static let path = "/dashboard/stores"
    private static let secret = "0123456789abcdef0123456789ABCDEF"

    private func run(_ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            _ = try await site.pool.query(
                """
                INSERT INTO store_accounts (app_id, store, identifier, environment)
                VALUES (\(TestSite.readmigoID), 'wechat', 'wxd930ea5d5a258f4f', 'store'),
                    (\(TestSite.readmigoID), 'alipay', '2021000000000001', 'store')
                """
            )
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("the page names both, and no test notifications, which they do not send")
    func index() async throws {
        try await run { _, browser in
            let page = try await browser.get(Self.path)
            #expect(page.status == .ok)
            for text in ["WeChat AppSecret", "Alipay app keys", "wxd930ea5d5a258f4f", "2021000000000001"] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(!page.text.contains("Send test notification"))
            #expect(!page.text.contains("/dashboard/stores/wechat/tests"))
            let form = try await browser.get("\(Self.path)/alipay/keys/api")
            #expect(form.text.contains("alipayPublicKey_RSA2.txt"))
            #expect(!form.text.contains("App Store Connect"))
            #expect(try await browser.get("\(Self.path)/wechat/keys/api").status == .notFound)
        }
    }

    @Test("WeChat's secret is sealed and counts at once; what is none is refused by its field")
    func wechat() async throws {
        try await run { site, browser in
            let path = "\(Self.path)/wechat/keys/sign_in"
            for text in [
                "", "1.5", "9223372036854775808", "0123456789abcdef", String(repeating: "a", count: 100_000),
            ] {
                let answer = try await send(browser, path, [("appSecret", text)])
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("href=\"#field-appSecret\""))
            }
            #expect(try await site.count("store_keys") == 0)
            let answer = try await send(browser, path, [("appSecret", Self.secret)])
            #expect(answer.status == .seeOther)
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("Key saved."))
            #expect(!page.text.contains(Self.secret))
            let rows = try await site.lines(
                "SELECT k::text FROM store_keys k UNION ALL SELECT e::text FROM audit_entries e"
            )
            #expect(rows.contains { $0.contains("store.key_save") })
            #expect(rows.allSatisfy { !$0.contains(Self.secret) })
            let account = try await site.backOffice.apps.entry(for: TestSite.readmigoID)?.accounts[.wechat]
            #expect(account?.secrets["appSecret"]?.revealed == Self.secret)
        }
    }

    @Test("Alipay's keys are told apart: the app's own public key is none of Alipay's")
    func alipay() async throws {
        let keys = try Self.keys()
        try await run { site, browser in
            let path = "\(Self.path)/alipay/keys/api"
            for (own, alipays, problem) in [
                ("", keys.alipays, "appPrivateKey"), ("no key", keys.alipays, "appPrivateKey"),
                (keys.alipays, keys.alipays, "appPrivateKey"), (keys.own, "", "alipayPublicKey"),
                (keys.own, keys.ownPublic, "alipayPublicKey"),
                (keys.own, String(repeating: "A", count: 100_000), "alipayPublicKey"),
            ] {
                let answer = try await send(
                    browser,
                    path,
                    files: [("appPrivateKey", own), ("alipayPublicKey", alipays)]
                )
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("href=\"#field-\(problem)\""), "\(problem)")
            }
            #expect(try await site.count("store_keys") == 0)
            let files = [("appPrivateKey", keys.own), ("alipayPublicKey", keys.alipays)]
            #expect(try await send(browser, path, files: files).status == .seeOther)
            #expect(try await site.count("store_keys") == 1)
        }
    }

    @Test("nothing is taken in from stores that only sign people in")
    func webhooks() async throws {
        try await run { site, browser in
            for store in ["wechat", "alipay"] {
                let answer = try await browser.client.executeRequest(
                    uri: "/webhooks/\(store)",
                    method: .post,
                    headers: [:],
                    body: ByteBuffer(string: "{}")
                )
                #expect(answer.status == .notFound)
            }
            #expect(try await site.count("store_notifications") == 0)
        }
    }

    private static func keys() throws -> (own: String, ownPublic: String, alipays: String) {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        struct Keys: Decodable {
            var app_private_key_pem: String
            var app_public_key_pem: String
            var alipay_public_key_pem: String
        }
        let data = try Data(contentsOf: tests.appending(path: "Interop/alipay_vectors.json"))
        let keys = try JSONDecoder().decode(Keys.self, from: data)
        return (keys.app_private_key_pem, keys.app_public_key_pem, keys.alipay_public_key_pem)
    }

    private func send(
        _ browser: Browser,
        _ path: String,
        _ fields: [(String, String)] = [],
        files: [(String, String)] = []
    ) async throws -> TestResponse {
        let boundary = "a-boundary-of-this-test"
        let csrf = try await browser.get(path).formToken ?? ""
        let parts = ([("csrf", csrf), ("key", UUID().uuidString)] + fields).map { name, value in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let uploads = files.map { name, text in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(name).txt\"\r\n\r\n\(text)\r\n"
        }
        return try await browser.send(
            .post,
            path,
            headers: [.contentType: "multipart/form-data; boundary=\(boundary)"],
            body: ByteBuffer(string: (parts + uploads).joined() + "--\(boundary)--\r\n")
        )
    }
}
