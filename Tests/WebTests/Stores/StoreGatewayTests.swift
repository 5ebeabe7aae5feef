import Billing
import Foundation
import Gateways
import HTTPTypes
import Jobs
import NIOCore
import Operations
import Postgres
import RouterTesting
import Server
import Storage
import Testing

@testable import Desk

@Suite("Stores that nobody has heard of") struct StoreGatewayTests {
    @Test("a purchase, a renewal and a refund go through intake, books, pages and charts")
    func cornerShop() async throws {
        try await Self.run(CornerShop()) { site, browser in
            for message in [Self.bought, Self.renewed, Self.returned] {
                #expect(try await Self.post(browser.client, message) == .ok)
                // Sent once more, as stores do.
                #expect(try await Self.post(browser.client, message) == .ok)
            }
            #expect(try await site.count("store_notifications") == 3)
            #expect(try await Self.worker(site).drain() == 3)
            let books = try await Self.lines(
                site,
                """
                SELECT concat_ws(' ', o.store, o.transaction_id, o.status, t.kind, t.amount, e.source)
                FROM ledger_entries t
                JOIN orders o ON o.id = t.order_id
                JOIN subscription_events e ON e.notification_id = t.notification_id
                ORDER BY t.occurred_at
                """
            )
            #expect(
                books == [
                    "corner_shop r1 completed initial_purchase 1800 notification",
                    "corner_shop r2 refunded renewal 1800 notification",
                    "corner_shop r2 refunded refund -1800 notification",
                ]
            )
            _ = try await site.backOffice.foldRollups()
            for page in [
                "orders", "subscriptions", "customers", "notifications", "revenue?by=store", "ledger",
            ] {
                let answer = try await browser.get("/dashboard/\(page)")
                let opened = answer.status == .seeOther ? try await browser.get(answer.location ?? "") : answer
                #expect(opened.status == .ok, "\(page)")
                #expect(opened.text.contains("Corner Shop"), "\(page)")
            }
            #expect(try await site.backOffice.verifyRollups().allSatisfy { $0.differences == 0 })
        }
    }

    @Test("what it did not sign, or signed for a shop that is not here, is refused and not kept")
    func forged() async throws {
        try await Self.run(CornerShop()) { site, browser in
            #expect(try await Self.post(browser.client, Self.bought, key: "another key") == .unauthorized)
            var elsewhere = Self.bought
            elsewhere.shop = "shop-43"
            #expect(try await Self.post(browser.client, elsewhere).code >= 400)
            for path in ["/webhooks/nobody", "/webhooks/google", "/webhooks/%00", "/webhooks/Corner_Shop"] {
                let answer = try await browser.client.executeRequest(
                    uri: path,
                    method: .post,
                    headers: [:],
                    body: ByteBuffer(string: "{}")
                )
                #expect((400..<500).contains(answer.status.code), "\(path)")
            }
            #expect(try await site.count("store_notifications") == 0)
        }
    }

    @Test("a message may come to the webhook of its app, and to no other app's")
    func named() async throws {
        try await Self.run(CornerShop()) { site, browser in
            var elsewhere = Self.bought
            elsewhere.shop = "shop-43"
            #expect(try await Self.post(browser.client, elsewhere, to: "/webhooks/corner_shop/shop") == .forbidden)
            for app in ["readmigo", "nobody", "%00", "SHOP"] {
                let answer = try await Self.post(browser.client, Self.bought, to: "/webhooks/corner_shop/\(app)")
                #expect(answer == .notFound, "\(app)")
            }
            #expect(try await site.count("store_notifications") == 0)
            #expect(try await Self.post(browser.client, Self.bought, to: "/webhooks/corner_shop/shop") == .ok)
            #expect(try await Self.post(browser.client, Self.bought) == .ok)
            #expect(try await site.count("store_notifications") == 1)
        }
    }

    @Test("one that has to be asked first is asked until it answers, once for each notification")
    func mailOrder() async throws {
        let house = MailOrderHouse(unanswered: 2, books: ["r1": Self.bought, "odd": Self.odd])
        try await Self.run(house) { site, browser in
            for receipt in ["r1", "odd", "lost"] {
                let answer = try await browser.client.executeRequest(
                    uri: "/webhooks/mail_order",
                    method: .post,
                    headers: [:],
                    body: ByteBuffer(string: receipt)
                )
                #expect(answer.status == .ok)
            }
            #expect(try await Self.states(site) == ["lost received 0", "odd received 0", "r1 received 0"])
            let worker = Self.worker(site)
            for _ in 0..<4 {
                _ = try await worker.drain()
                _ = try await site.pool.query(
                    "UPDATE store_notifications SET scheduled_at = now() WHERE state = 'received'"
                )
            }
            #expect(
                try await Self.states(site).map { $0.split(separator: " ")[1] } == ["failed", "ignored", "processed"]
            )
            #expect(house.questions.count == 5)
            let retried = try await Self.lines(
                site,
                "SELECT error FROM notification_attempts WHERE result = 'retried' ORDER BY started_at"
            )
            #expect(retried == Array(repeating: "The mail order house did not answer.", count: 2))
            let failed = try await Self.lines(site, "SELECT last_error FROM store_notifications WHERE state = 'failed'")
            #expect(failed == ["The house has no receipt lost."])
            #expect(
                try await Self.lines(site, "SELECT store || ' ' || transaction_id FROM orders") == ["mail_order r1"]
            )
            // A receipt that was never resolved is asked for once more when staff retry its notification.
            #expect(try await site.backOffice.retryFailedNotifications() == 1)
            _ = try await worker.drain()
            #expect(house.questions.count == 6)
        }
    }

    @Test("an account without its key is refused before the first message")
    func unusable() async throws {
        try await TestSite.run(gateways: StoreGateways([CornerShop()])) { site in
            var catalog = try Self.catalog()
            catalog.accounts[CornerShop.store]?.secrets = [:]
            let keyless = catalog
            let error = await #expect(throws: OperationsError.self) { try await site.backOffice.applyCatalog(keyless) }
            #expect(error?.field == "stores.corner_shop.secrets.signingKey")
            catalog.accounts[.google] = StoreAccount(store: .google, identifier: "com.shop", isSimulated: false)
            let unheard = catalog
            let other = await #expect(throws: OperationsError.self) { try await site.backOffice.applyCatalog(unheard) }
            #expect(other?.code == .invalid)
        }
    }

    @Test("a key lies sealed in the database, and applying the same catalogue changes nothing")
    func sealed() async throws {
        try await Self.run(CornerShop()) { site, _ in
            let stored = try await Self.lines(
                site,
                "SELECT encode(sealed_secrets, 'escape') || settings::text FROM store_accounts WHERE store = 'corner_shop'"
            )
            #expect(stored.count == 1 && !stored[0].contains(Self.key))
            let catalog = try Self.catalog()
            #expect(!"\(catalog)".contains(Self.key))
            #expect(try await site.backOffice.applyCatalog(catalog).changes == [])
            var changed = catalog
            changed.accounts[CornerShop.store]?.secrets = ["signingKey": Secret("a new key")]
            #expect(try await site.backOffice.applyCatalog(changed).changes == ["changed account at corner_shop"])
        }
    }

    private static let key = "a key that the shop and the app share"
    private static let bought = message("n1", "bought", on: 0, "r1", from: 0)
    private static let renewed = message("n2", "renewed", on: 31, "r2", from: 31)
    private static let returned = message("n3", "returned", on: 33, "r2", from: 31)
    private static let odd = message("n4", "greeted", on: 0, "r9", from: 0)

    private static func message(
        _ id: String,
        _ what: String,
        on day: Int64,
        _ receipt: String,
        from start: Int64
    ) -> CornerShop.Message {
        let length: Int64 = 86_400_000
        let first = Int64(TestSite.firstMoment.timeIntervalSince1970) * 1_000 - 60 * length
        return CornerShop.Message(
            id: id,
            shop: "shop-42",
            what: what,
            at: first + day * length,
            receipt: receipt,
            contract: "contract-1",
            product: "pro",
            fen: 1_800,
            from: first + start * length,
            to: first + (start + 31) * length
        )
    }

    /// Runs a test on a site whose app sells at both stores, with its inbox open and an analyst's browser.
    private static func run(
        _ gateway: any StoreGateway,
        _ body: @Sendable (TestSite, Browser) async throws -> Void
    ) async throws {
        try await TestSite.run(gateways: StoreGateways([CornerShop(), gateway])) { site in
            _ = try await site.backOffice.applyCatalog(
                try catalog(alsoAt: gateway.store == MailOrderHouse.store)
            )
            try await site.addStaff(.admin)
            let inbox = Task { try await site.backOffice.inbox.run() }
            defer { inbox.cancel() }
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                _ = try await browser.signIn("admin@example.com")
                _ = try await browser.submit("/dashboard/app", [("app", "shop")])
                try await body(site, browser)
            }
        }
    }

    /// Returns the catalogue as its file has it.
    private static func catalog(alsoAt mailOrder: Bool = false) throws -> Catalog {
        let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "shop.yaml")
        try Data(key.utf8).write(to: folder.appending(path: "key"))
        let mail = mailOrder ? "\n  mail_order: { identifier: house-7 }" : ""
        let alsoSold = "\n  - { store: mail_order, id: pro, plan: PRO, name: Pro by mail, period: P1M }"
        try Data(
            """
            app: shop
            name: The Shop
            timeZone: UTC
            reportingCurrency: CNY
            stores:
              corner_shop: { identifier: shop-42, secrets: { signingKey: "file:key" } }\(mail)
            plans:
              - { code: FREE, name: Free, rank: 0 }
              - { code: PRO, name: Pro, rank: 1 }
            products:
              - { store: corner_shop, id: pro, plan: PRO, name: Pro at the corner, period: P1M, prices: { CNY: "18.00" } }\(mailOrder ? alsoSold : "")

            """.utf8
        ).write(to: file)
        return try CatalogFile.read(file.path)
    }

    private static func post(
        _ client: TestClient,
        _ message: CornerShop.Message,
        key: String = key,
        to path: String = "/webhooks/corner_shop"
    ) async throws -> HTTPResponse.Status {
        let payload = String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
        let name = try #require(HTTPField.Name(CornerShop.signature))
        return try await client.executeRequest(
            uri: path,
            method: .post,
            headers: [name: CornerShop.sign(payload, with: key)],
            body: ByteBuffer(string: payload)
        ).status
    }

    private static func worker(_ site: TestSite) -> NotificationWorker {
        NotificationWorker(backOffice: site.backOffice)
    }

    private static func states(_ site: TestSite) async throws -> [String] {
        try await lines(
            site,
            "SELECT concat_ws(' ', signed_payload, state, attempt) FROM store_notifications ORDER BY signed_payload"
        )
    }

    private static func lines(_ site: TestSite, _ query: Query) async throws -> [String] {
        try await site.pool.query(query).map { try $0.decode(0, as: String.self) }
    }
}
