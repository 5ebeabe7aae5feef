import Billing
import CryptoExtras
import Foundation
import Gateways
import HTTPTypes
import Jobs
import NIOCore
import Operations
import RouterTesting
import Server
import Storage
import StoreSimulator
import Testing

@Suite("Google's pushes over HTTP, from the webhook to the books") struct GoogleWebhookTests {
    /// A site whose app sells a month of Pro at Google Play, which is played over HTTP.
    private struct Shop: Sendable {
        let site: TestSite
        let client: TestClient
        let google: SimulatedGoogle
        let pushed: SiteTransport

        func post(
            _ body: String,
            _ headers: [String: String] = [:],
            to path: String = "/webhooks/google"
        ) async throws
            -> TestResponse
        {
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

        /// Posts a push as Pub/Sub does.
        ///
        /// - Parameter claims: what of its token is otherwise; a null leaves a claim out.
        func post(_ push: SimulatedPush, claims: [String: JSON] = [:]) async throws -> TestResponse {
            let delivery = try google.delivery(of: push, claims: claims)
            return try await post(delivery.payload, delivery.headers)
        }

        func work() async throws {
            _ = try await NotificationWorker(backOffice: site.backOffice).drain()
        }

        func inbox() async throws -> [String] {
            try await site.lines(
                "SELECT concat_ws(' ', type, state) FROM store_notifications ORDER BY received_at, type"
            )
        }

        func books() async throws -> [String] {
            try await site.lines("SELECT concat_ws(' ', store, kind, status, amount) FROM orders ORDER BY purchased_at")
        }
    }

    private static let keys = Result {
        (
            service: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            google: try _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
    }
    private static let plan = SimulatedPlan(
        "pro",
        "monthly",
        Money(minorUnits: 999, currency: Currency("EUR") ?? .unknown),
        days: 30
    )

    private static func run(_ body: @Sendable (Shop) async throws -> Void) async throws {
        let (clock, pushed) = (SimulatedClock(standingAt: TestSite.firstMoment), SiteTransport())
        let google = SimulatedGoogle(
            packageName: "com.example.shop",
            serviceKey: try keys.get().service,
            googleKey: try keys.get().google,
            clock: clock
        )
        google.setWebhook("https://shop.example.com/webhooks/google")
        try await google.start()
        let gateway = GoogleGateway(
            policy: AppleRetryPolicy(pauses: [], longestWait: .seconds(60)),
            clock: AppleServerClock(now: { clock.now }, sleep: { _ in }, jitter: { 0 })
        )
        do {
            try await TestSite.run(gateways: StoreGateways([gateway])) { site in
                _ = try await site.backOffice.applyCatalog(try catalog(of: google))
                let inbox = Task { try await site.backOffice.inbox.run() }
                defer { inbox.cancel() }
                try await site.app.test(.router) { client async throws in
                    pushed.open(to: client)
                    try await body(Shop(site: site, client: client, google: google, pushed: pushed))
                }
            }
        } catch {
            await google.stop()
            throw error
        }
        await google.stop()
    }

    private static func catalog(of google: SimulatedGoogle) throws -> Catalog {
        let folder = FileManager.default.temporaryDirectory.appending(path: "catalog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(google.serviceAccountFile.bytes).write(to: folder.appending(path: "service-account.json"))
        let file = folder.appending(path: "shop.yaml")
        try Data(
            """
            app: shop
            name: The Shop
            timeZone: Europe/Berlin
            reportingCurrency: EUR
            stores:
              google:
                identifier: \(google.packageName)
                environment: simulator
                settings:
                  api: "\(google.url)"
                  certs: "\(google.url)/oauth2/v3/certs"
                  push.audience: "\(google.audience)"
                  push.account: \(google.pushAccount)
                  push.subscription: \(google.subscription)
                secrets: { serviceAccount: "file:service-account.json" }
            plans:
              - { code: FREE, name: Free, rank: 0 }
              - { code: PRO, name: Pro, rank: 1 }
            products:
              - { store: google, id: "pro:monthly", plan: PRO, name: Pro, period: P1M, prices: { EUR: "9.99" } }

            """.utf8
        ).write(to: file)
        return try CatalogFile.read(file.path)
    }

    @Test("a push is taken in with 200, and settled once Google was asked; twice and late it is the same")
    func taken() async throws {
        try await Self.run { shop in
            let token = shop.google.buy(Self.plan)
            shop.google.spoil(.twice)
            await shop.google.deliverDue(over: shop.pushed)
            #expect(shop.pushed.answers.map(\.status) == [200, 200])
            #expect(shop.pushed.answers.allSatisfy { $0.body.isEmpty })
            // Nothing is booked before Google was asked.
            #expect(try await shop.inbox() == ["SUBSCRIPTION_PURCHASED received"])
            #expect(try await shop.books() == [])
            try await shop.work()
            let books = ["google initial_purchase completed 999"]
            #expect(try await shop.books() == books)
            #expect(try await shop.inbox() == ["SUBSCRIPTION_PURCHASED processed"])
            let push = try #require(shop.google.pushes.first)
            #expect(try await shop.post(push).status == .ok)
            try await shop.work()
            #expect(try await shop.inbox() == ["SUBSCRIPTION_PURCHASED processed"])
            #expect(try await shop.books() == books)
            #expect(shop.google.purchase(token)?.state == "ACTIVE")
        }
    }

    @Test("a token that is not the pusher's for us is refused, not kept, and books nothing; the next good one counts")
    func refused() async throws {
        try await Self.run { shop in
            shop.google.buy(Self.plan)
            let push = try #require(shop.google.pushes.first)
            let now = Int64(TestSite.firstMoment.timeIntervalSince1970)
            let cases: [([String: JSON], Int)] = [
                (["iss": "https://accounts.example.com"], 401), (["iss": .null], 401),
                (["aud": "https://other.example.com/webhooks/google"], 403), (["aud": .null], 401),
                (["email": "somebody@sim.iam.gserviceaccount.com"], 403), (["email": .null], 401),
                (["email_verified": false], 403), (["email_verified": .null], 403),
                (["iat": .integer(now - 7_200), "exp": .integer(now - 3_600)], 401),
                (["iat": .integer(now + 3_600)], 401), (["exp": .null], 401),
            ]
            for (claims, status) in cases {
                let answer = try await shop.post(push, claims: claims)
                #expect(answer.status.code == status, "\(claims)")
            }
            let good = try shop.google.delivery(of: push)
            let token = try #require(good.headers["authorization"])
            let signed = token.split(separator: ".").prefix(2).joined(separator: ".")
            for other in [
                nil, "", "Basic YTpi", "Bearer", "Bearer a.b.c", "\(signed).\(String(repeating: "A", count: 342))",
                "\(signed).", "Bearer \(String(repeating: "a", count: 9_000))",
            ] {
                let answer = try await shop.post(good.payload, other.map { ["authorization": $0] } ?? [:])
                #expect(answer.status == .unauthorized, "\(other?.prefix(40) ?? "none")")
            }
            var elsewhere = good
            elsewhere.payload = push.body(subscription: "projects/sim/subscriptions/other")
            #expect(try await shop.post(elsewhere.payload, elsewhere.headers).status == .forbidden)
            #expect(try await shop.inbox() == [])
            #expect(try await shop.books() == [])
            #expect(try await shop.post(push).status == .ok)
            try await shop.work()
            #expect(try await shop.books().count == 1)
        }
    }

    @Test("what is for another package, or nobody can read, is answered 204 and left alone: it would come for days")
    func foreign() async throws {
        try await Self.run { shop in
            let foreign = #"{"version":"1.0","packageName":"com.example.other","testNotification":{"version":"1.0"}}"#
            let data = Data(foreign.utf8).base64EncodedString()
            shop.google.sendTest()
            let headers = try shop.google.delivery(of: try #require(shop.google.pushes.first)).headers
            for body in [
                #"{"message":{"data":"\#(data)","messageId":"2"},"subscription":"s"}"#, "[]", "{", "{}", "null",
                #"{"message":{}}"#, #"{"message":{"data":"bm8=","messageId":"1"},"subscription":"s"}"#,
                #"{"message":{"data":"***","messageId":"1"}}"#, #"{"message":{"data":"e30=","messageId":""}}"#,
            ] {
                for headers in [headers, [:]] as [[String: String]] {
                    let answer = try await shop.post(body, headers)
                    #expect(answer.status == .noContent, "\(body)")
                    #expect(answer.text.isEmpty)
                }
            }
            #expect(try await shop.inbox() == [])
        }
    }

    @Test("while Google's keys cannot be had a push is answered 503, and Pub/Sub brings it again") func noKeys()
        async throws
    {
        try await Self.run { shop in
            shop.google.sendTest()
            shop.google.be(.page(500), at: "/oauth2/v3/certs", times: 100)
            await shop.google.deliverDue(over: shop.pushed)
            #expect(shop.pushed.answers.map(\.status) == [503])
            #expect(try await shop.inbox() == [])
            shop.google.mend()
            shop.google.clock.advance(by: 120)
            shop.site.clock.advance(by: 120)
            await shop.google.deliverDue(over: shop.pushed)
            #expect(shop.pushed.answers.map(\.status) == [503, 200])
            try await shop.work()
            #expect(try await shop.inbox() == ["TEST ignored"])
        }
    }

    @Test("what is not known here is kept and ignored; a purchase that Google does not know waits for people")
    func unknown() async throws {
        try await Self.run { shop in
            shop.google.publishPoison()
            await shop.google.deliverDue(over: shop.pushed)
            shop.google.buy(Self.plan)
            shop.google.be(.unknown, at: "subscriptionsv2", times: 10)
            await shop.google.deliverDue(over: shop.pushed)
            #expect(shop.pushed.answers.map(\.status) == [200, 200])
            try await shop.work()
            #expect(try await Set(shop.inbox()) == ["UNKNOWN ignored", "SUBSCRIPTION_PURCHASED failed"])
            #expect(try await shop.books() == [])
        }
    }
}
