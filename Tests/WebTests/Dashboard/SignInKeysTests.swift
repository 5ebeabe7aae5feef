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

@Suite("Keys for WeChat and Alipay, as pages") struct SignInKeysTests {
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
            #expect(form.text.contains("alipayRootCert.crt"))
            #expect(try await browser.get("\(Self.path)/wechat/keys/shared_secret").status == .notFound)
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

    @Test("Alipay's three certificates do in its key's place, and what is none is refused by its field")
    func certificates() async throws {
        let keys = try Self.keys()
        try await run { site, browser in
            let files = [
                ("appPrivateKey", keys.own), ("appCertificate", "no certificate"), ("alipayCertificate", "1"),
                ("alipayRootCertificate", "1"),
            ]
            let answer = try await send(browser, "\(Self.path)/alipay/keys/api", files: files)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("href=\"#field-appCertificate\""))
            #expect(try await site.count("store_keys") == 0)
        }
    }

    @Test("WeChat Pay's key is told apart by its serial, sealed, and has the webhook of its app open")
    func wechatPay() async throws {
        let keys = try Self.keys()
        let serial = "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B"
        let settings = [("merchantId", "1900000109"), ("merchantSerial", serial)]
        try await run { site, browser in
            let path = "\(Self.path)/wechat/keys/api"
            #expect(try await browser.get(path).text.contains("apiclient_key.pem"))
            for (fields, key, problem) in [
                ([("merchantId", "wx1")], keys.own, "merchantSerial"),
                (settings, "no key", "merchantKey"), (settings, keys.ownPublic, "merchantKey"),
                (settings, "", "merchantKey"),
                (settings + [("payPublicKeyId", "0119000000012024")], keys.own, "payPublicKeyId"),
                (settings + [("payPublicKeyId", "PUB_KEY_ID_01")], keys.own, "payPublicKey"),
            ] {
                let sent = fields + [("apiV3Key", Self.secret)]
                let answer = try await send(browser, path, sent, files: [("merchantKey", key)])
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("href=\"#field-\(problem)\""), "\(problem)")
                #expect(!answer.text.contains(Self.secret))
            }
            let short = settings + [("apiV3Key", "0123456789abcdef")]
            let refused = try await send(browser, path, short, files: [("merchantKey", keys.own)])
            #expect(refused.text.contains("href=\"#field-apiV3Key\""))
            #expect(try await site.count("store_keys") == 0)
            let good = settings + [("apiV3Key", Self.secret)]
            #expect(try await send(browser, path, good, files: [("merchantKey", keys.own)]).status == .seeOther)
            let page = try await browser.get(Self.path)
            for text in ["WeChat Pay merchant key", serial, "Last notification"] {
                #expect(page.text.contains(text), "\(text)")
            }
            #expect(!page.text.contains("Send test notification") && !page.text.contains(Self.secret))
            let answer = try await browser.client.executeRequest(
                uri: "/webhooks/wechat/readmigo",
                method: .post,
                headers: [:],
                body: ByteBuffer(string: "{}")
            )
            #expect(answer.status == .unauthorized)
            #expect(answer.text == #"{"code":"FAIL","message":"失败"}"#)
        }
    }

    @Test("nothing is taken in from stores that only sign people in")
    func webhooks() async throws {
        try await run { site, browser in
            for path in ["wechat", "alipay", "wechat/readmigo", "alipay/readmigo", "wechat/kombin", "alipay/nobody"] {
                let answer = try await browser.client.executeRequest(
                    uri: "/webhooks/\(path)",
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
