import APITypes
import Billing
import Crypto
import Foundation
import HTTPTypes
import NIOCore
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk

@Suite("Stores, as pages") struct StoresPagesTests {
    private static let path = "/dashboard/stores"
    private static let key = "\(path)/apple/keys/api"
    private static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    private func run(_ role: StaffRole, _ body: @Sendable (TestSite, Browser) async throws -> Void) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            if role != .admin { try await site.addStaff(role) }
            try await site.addStoreAccount()
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("\(role.rawValue)@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "readmigo")])
                try await body(site, browser)
            }
        }
    }

    @Test("the page says what is set, what is missing, and when something last came")
    func index() async throws {
        try await run(.support) { site, browser in
            let page = try await browser.get(Self.path)
            #expect(page.status == .ok)
            #expect(page.text.contains("com.readmigo.app"))
            #expect(page.text.contains("App Store Server API key"))
            #expect(page.text.contains("Missing"))
            #expect(page.text.contains("Not connected: Google Play, WeChat Pay, Alipay"))
            #expect(!page.text.contains("Upload"))
            #expect(!page.text.contains("<form method=\"post\" action=\"/dashboard/stores"))
            // An app without an account says so.
            _ = try await browser.submit("/dashboard/app", [("app", "kombin")])
            #expect(try await browser.get(Self.path).text.contains("Not connected: Apple, Google Play"))
        }
    }

    @Test("an uploaded key is sealed, counts, and is never shown again; it can be replaced and removed")
    func upload() async throws {
        try await run(.admin) { site, browser in
            #expect(try await browser.get(Self.path).text.contains("href=\"\(Self.key)\""))
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let answer = try await send(browser, [("issuerId", Self.issuer), ("keyId", "2X9R4HXF34")], pem)
            #expect(answer.status == .seeOther)
            #expect(answer.location == Self.path)
            let page = try await browser.get(Self.path)
            #expect(page.text.contains("Key saved."))
            #expect(page.text.contains("2X9R4HXF34"))
            #expect(page.text.contains("Send test notification"))
            let secret = String(pem.split(separator: "\n")[1])
            let form = try await browser.get(Self.key)
            #expect(form.text.contains(Self.issuer))
            for text in [page.text, form.text] { #expect(!text.contains(secret)) }
            let rows = try await site.lines(
                "SELECT k::text FROM store_keys k UNION ALL SELECT e::text FROM audit_entries e"
            )
            #expect(rows.contains { $0.contains("store.key_save") })
            #expect(rows.allSatisfy { !$0.contains(secret) })
            let account = try await site.backOffice.apps.entry(for: TestSite.readmigoID)?.accounts[.apple]
            #expect(account?.secrets["privateKey"]?.revealed == pem.trimmingCharacters(in: .whitespacesAndNewlines))

            let question = try await browser.get("\(Self.key)/removal")
            #expect(question.text.contains("Remove App Store Server API key?"))
            let why = [("category", "testing"), ("reason", "It was for a test alone."), ("key", "two")]
            #expect(try await browser.submit("\(Self.key)/removal", why).location == Self.path)
            #expect(try await site.count("store_keys") == 0)
            #expect(try await site.audit().suffix(2) == ["store.key_save", "store.key_remove"])
        }
    }

    @Test("what is no key is refused by its field, and nothing of it stands in the answer")
    func refused() async throws {
        try await run(.admin) { site, browser in
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let other = P384.Signing.PrivateKey().pemRepresentation
            let good = [("issuerId", Self.issuer), ("keyId", "2X9R4HXF34")]
            for (fields, file, problem) in [
                (good, "", "field-privateKey"), (good, "no key", "field-privateKey"), (good, other, "field-privateKey"),
                (good, String(repeating: "A", count: 100_000), "field-privateKey"),
                ([("issuerId", "x"), ("keyId", "2X9R4HXF34")], pem, "field-issuerId"),
                ([("issuerId", Self.issuer)], pem, "field-keyId"),
                ([("issuerId", Self.issuer), ("keyId", "2X9R-4")], pem, "field-keyId"),
                ([("issuerId", Self.issuer), ("keyId", String(repeating: "9", count: 100_000))], pem, "field-keyId"),
            ] {
                let answer = try await send(browser, fields, file)
                #expect(answer.status == .unprocessableContent)
                #expect(answer.text.contains("href=\"#\(problem)\""), "\(problem)")
                if file.count > 100, file.count < 1_000 {
                    #expect(!answer.text.contains(String(file.split(separator: "\n")[1])))
                }
            }
            #expect(try await site.count("store_keys") == 0)
        }
    }

    @Test("a key that the catalogue names is changed there alone")
    func named() async throws {
        try await run(.admin) { site, browser in
            _ = try await site.pool.query(
                """
                UPDATE store_accounts SET settings = settings || '{"issuerId": "i", "keyId": "k"}'
                """
            )
            let form = try await browser.get(Self.key)
            #expect(form.text.contains("The app’s catalog names this key"))
            #expect(!form.text.contains("type=\"file\""))
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let answer = try await send(browser, [("issuerId", Self.issuer), ("keyId", "2X9R4HXF34")], pem)
            #expect(answer.status == .conflict)
            #expect(try await site.count("store_keys") == 0)
        }
    }

    @Test("a key is uploaded by whoever proved lately who they are; the file is not kept for later")
    func reauthentication() async throws {
        try await run(.admin) { site, browser in
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let token = try await browser.get(Self.path).formToken ?? ""
            site.clock.advance(by: 11 * 60)
            let answer = try await send(
                browser,
                [("issuerId", Self.issuer), ("keyId", "2X9R4HXF34")],
                pem,
                token: token
            )
            #expect(answer.status == .seeOther)
            #expect(answer.location == "/dashboard/identity?next=%2Fdashboard%2Fstores%2Fapple%2Fkeys%2Fapi")
            #expect(try await site.count("store_keys") == 0)
        }
    }

    @Test("a test notification without a key is refused with the reason; what there is not is not found")
    func tests() async throws {
        try await run(.admin) { site, browser in
            let answer = try await browser.submit(
                "\(Self.path)/apple/tests",
                [("key", "a"), ("environment", "production")]
            )
            #expect(answer.status == .conflict)
            let none = try await browser.get("\(Self.path)/apple/tests/production")
            #expect(none.status == .ok)
            #expect(!none.loadsItselfAgain)
            for path in [
                "google/tests/production", "apple/tests/xcode", "apple/keys/none", "x/keys/api",
            ] {
                #expect(try await browser.get("\(Self.path)/\(path)").status == .notFound, "\(path)")
            }
            for environment in [
                "", "xcode", "9223372036854775808", "\u{1F511}", String(repeating: "s", count: 100_000),
            ] {
                let fields = [("key", "b"), ("environment", environment)]
                let status = try await browser.submit("\(Self.path)/apple/tests", fields).status.code
                #expect([413, 422].contains(status))
            }
        }
    }

    @Test("a test that waits loads itself again, and not for ever")
    func waiting() async throws {
        try await run(.support) { site, browser in
            _ = try await site.pool.query(
                """
                INSERT INTO test_notifications (app_id, store, environment, requested_at)
                SELECT app_id, store, 'sandbox', \(site.clock.read()) FROM store_accounts
                """
            )
            let path = "\(Self.path)/apple/tests/sandbox"
            let page = try await browser.get(path)
            #expect(page.loadsItselfAgain)
            #expect(page.text.contains("This page reloads itself."))
            site.clock.advance(by: 121)
            let late = try await browser.get(path)
            #expect(!late.loadsItselfAgain)
            #expect(late.text.contains("did not say within two minutes"))
        }
    }

    @Test("an order id of Apple that is none, or cannot be asked about, says so")
    func orders() async throws {
        try await run(.analyst) { _, browser in
            let path = "\(Self.path)/apple/orders"
            #expect(try await browser.get(path).status == .ok)
            let wrong = try await browser.get("\(path)?order=M%20K")
            #expect(wrong.text.contains("field-order-problem"))
            let long = try await browser.get("\(path)?order=\(String(repeating: "M", count: 1_000))")
            #expect(long.text.contains("field-order-problem"))
            #expect(try await browser.get("\(path)?order=MK5TTTVWJH").text.contains("no key"))
        }
    }

    /// Sends the page's form with a file.
    private func send(
        _ browser: Browser,
        _ fields: [(String, String)],
        _ file: String,
        token: String? = nil
    ) async throws -> TestResponse {
        let boundary = "a-boundary-of-this-test"
        let csrf = if let token { token } else { try await browser.get(Self.path).formToken ?? "" }
        let parts = ([("csrf", csrf), ("key", UUID().uuidString)] + fields).map { name, value in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let upload =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"privateKey\"; filename=\"AuthKey.p8\"\r\n\r\n\(file)\r\n"
        return try await browser.send(
            .post,
            Self.key,
            headers: [.contentType: "multipart/form-data; boundary=\(boundary)"],
            body: ByteBuffer(string: parts.joined() + upload + "--\(boundary)--\r\n")
        )
    }
}

extension TestResponse {
    fileprivate var loadsItselfAgain: Bool { headers.contains { $0.name.canonicalName == "refresh" } }
}
