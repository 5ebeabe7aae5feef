import APITypes
import Billing
import CryptoExtras
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
import StoreSimulator
import TestSupport

/// A site whose app sells a month of Pro for 18 yuan at WeChat Pay and at Alipay. Both are played over HTTP, and call its webhooks.
struct PaymentSite: Sendable {
    static let appID = "wxd930ea5d5a258f4f"
    static let alipayID = "2021000000000001"
    static let apiV3Key = "0123456789abcdef0123456789ABCDEF"
    private static let keys = Result {
        (
            merchant: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            app: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            alipay: try _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
    }

    let site: TestSite
    let client: TestClient
    let clock: SimulatedClock
    let wechat: SimulatedWeChatPay
    let alipay: SimulatedAlipay
    let notified: SiteTransport
    let app: App.ID
    let customer: Customer.ID
    private let address: String

    static func run(_ body: @Sendable (PaymentSite) async throws -> Void) async throws {
        let keys = try Self.keys.get()
        let (clock, notified) = (SimulatedClock(standingAt: TestSite.firstMoment), SiteTransport())
        let wechat = try SimulatedWeChatPay(
            SimulatedWeChatMerchant(
                appID: appID,
                merchantID: "1900000109",
                serial: "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B",
                key: keys.merchant.publicKey,
                apiV3Key: apiV3Key
            ),
            clock: clock,
            transport: notified
        )
        let alipay = SimulatedAlipay(
            appID: alipayID,
            appKey: keys.app.publicKey,
            key: keys.alipay,
            transport: notified,
            now: { clock.now }
        )
        let server = SimulatedAppleServer(
            authority: try TestAuthority(),
            clock: clock,
            endpoints: wechat.endpoints + alipay.endpoints
        )
        try await server.start()
        do {
            try await run(wechat, alipay, at: server.url(), clock, notified, body)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func run(
        _ wechat: SimulatedWeChatPay,
        _ alipay: SimulatedAlipay,
        at address: String,
        _ clock: SimulatedClock,
        _ notified: SiteTransport,
        _ body: @Sendable (PaymentSite) async throws -> Void
    ) async throws {
        let storeClock = AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
        let gateways = StoreGateways([
            WeChatGateway(transport: PatientTransport(), clock: storeClock),
            AlipayGateway(transport: PatientTransport(), clock: storeClock),
        ])
        try await TestSite.run(gateways: gateways) { site in
            _ = try await site.backOffice.applyCatalog(try catalog(wechat, at: address))
            let inbox = Task { try await site.backOffice.inbox.run() }
            defer { inbox.cancel() }
            let row = try await site.pool.query("SELECT id FROM apps WHERE slug = 'shop'").first
            let app = try row?.decode(0, as: App.ID.self) ?? Identifier(UUID())
            let customer = UUID()
            _ = try await site.pool.query(
                """
                INSERT INTO customers (id, app_id, key, external_id, created_at)
                VALUES (\(customer), \(app), 'mei', 'mei', now())
                """
            )
            try await site.app.test(.router) { client async throws in
                notified.open(to: client)
                try await body(
                    PaymentSite(
                        site: site,
                        client: client,
                        clock: clock,
                        wechat: wechat,
                        alipay: alipay,
                        notified: notified,
                        app: app,
                        customer: Customer.ID(customer),
                        address: address
                    )
                )
            }
        }
    }

    /// Applies the catalogue again, with another APIv3 key.
    func change(apiV3Key: String) async throws {
        _ = try await site.backOffice.applyCatalog(try Self.catalog(wechat, at: address, apiV3Key: apiV3Key))
    }

    private static func catalog(
        _ wechat: SimulatedWeChatPay,
        at address: String,
        apiV3Key: String = Self.apiV3Key
    ) throws -> Catalog {
        let keys = try Self.keys.get()
        let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("merchant.pem", keys.merchant.pkcs8PEMRepresentation), ("apiv3.txt", apiV3Key),
            ("wechat.pem", wechat.publicKey.pem), ("app.pem", keys.app.pkcs8PEMRepresentation),
            ("alipay.pem", keys.alipay.publicKey.pemRepresentation),
        ] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let file = folder.appending(path: "shop.yaml")
        try Data(
            """
            app: shop
            name: The Shop
            timeZone: Asia/Shanghai
            reportingCurrency: CNY
            stores:
              wechat:
                identifier: \(appID)
                environment: simulator
                settings:
                  payAddress: "\(address)"
                  merchantId: "1900000109"
                  merchantSerial: "3A5B7C9D1E2F4A6B8C0D1E2F3A4B5C6D7E8F9A0B"
                  payPublicKeyId: "\(wechat.publicKey.serial)"
                secrets: { merchantKey: "file:merchant.pem", apiV3Key: "file:apiv3.txt", payPublicKey: "file:wechat.pem" }
              alipay:
                identifier: "\(alipayID)"
                environment: simulator
                settings: { gateway: "\(address)/gateway.do", sellerId: "\(SimulatedAlipay.sellerID)" }
                secrets: { appPrivateKey: "file:app.pem", alipayPublicKey: "file:alipay.pem" }
            plans:
              - { code: FREE, name: Free, rank: 0 }
              - { code: PRO, name: Pro, rank: 1 }
            products:
              - { store: wechat, id: pro, plan: PRO, name: Pro, period: P1M, prices: { CNY: "18.00" } }
              - { store: alipay, id: pro, plan: PRO, name: Pro, period: P1M, prices: { CNY: "18.00" } }

            """.utf8
        ).write(to: file)
        return try CatalogFile.read(file.path)
    }

    // MARK: What happens

    /// - Returns: our number of the order.
    func open(_ method: CheckoutMethod) async throws -> String {
        let webhook = Paths.notifications(of: method.store.rawValue, for: "shop")
        let opened = try await site.backOffice.openCheckout(
            CheckoutRequest(
                productID: "pro",
                method: method,
                notificationURL: "https://shop.example.com\(webhook)"
            ),
            for: customer,
            of: app
        )
        return opened.checkout.number
    }

    /// Somebody pays; the store's notification is due, and not sent yet.
    func pay(_ number: String, by method: CheckoutMethod) throws {
        if method.store == .wechat { try wechat.pay(number) } else { alipay.pay(number) }
    }

    /// Both stores send what is due.
    func deliver() async {
        await wechat.deliverDue()
        await alipay.deliverDue()
    }

    /// Works off what was taken in, whenever it is due.
    func work() async throws {
        _ = try await site.pool.query(
            "UPDATE store_notifications SET scheduled_at = now() WHERE state = 'received'"
        )
        _ = try await NotificationWorker(backOffice: site.backOffice).drain()
    }

    /// Asks the stores about all orders that are open.
    func query() async throws {
        _ = try await site.pool.query("UPDATE jobs SET scheduled_at = now() WHERE state = 'available'")
        _ = try await JobWorker(backOffice: site.backOffice).drain()
    }

    func advance(by seconds: TimeInterval) {
        clock.advance(by: seconds)
        site.clock.advance(by: seconds)
    }

    /// Sends a body to a webhook.
    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> TestResponse {
        var fields = HTTPFields()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return try await client.executeRequest(
            uri: path,
            method: .post,
            headers: fields,
            body: ByteBuffer(string: body)
        )
    }

    func get(_ path: String) async throws -> TestResponse {
        try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
    }

    // MARK: The books

    /// The customer's plan.
    func plan() async throws -> String? {
        let sources = try await site.backOffice.database.readPrimary { reader in
            try await reader.entitlementSources.of([customer])[customer]
        }
        return sources?.entitlement(at: site.backOffice.database.now)?.plan.code
    }

    /// The orders with their charges, a line each.
    func books() async throws -> [String] {
        try await site.lines(
            """
            SELECT concat_ws(' ', o.store, o.kind, o.status, o.amount, (
                SELECT string_agg(t.kind || ' ' || t.amount, ', ' ORDER BY t.occurred_at) FROM ledger_entries t WHERE t.order_id = o.id))
            FROM orders o
            ORDER BY o.store, o.purchased_at
            """
        )
    }

    /// The notifications, a line each.
    func inbox() async throws -> [String] {
        try await site.lines(
            "SELECT concat_ws(' ', store, type, state) FROM store_notifications ORDER BY store, received_at, type"
        )
    }

    func state(of number: String) async throws -> Checkout.State {
        try await site.backOffice.checkout(number, of: app).checkout.state
    }
}
