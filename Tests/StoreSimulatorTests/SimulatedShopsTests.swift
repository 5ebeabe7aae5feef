import Billing
import Foundation
import Testing

@testable import Gateways
@testable import StoreSimulator

@Suite("The simulated stores of the command line") struct SimulatedShopsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    @Test(
        "the keys are kept, those that are secret are their owner's, and the catalogue's entry names files that are there"
    )
    func kept() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try await entries()
        let files = try contents()
        #expect(try await entries() == first)
        #expect(try contents() == files)
        for entry in first {
            for match in entry.matches(of: /file:([^"]+)"/) {
                let path = String(match.output.1)
                #expect(FileManager.default.fileExists(atPath: path), "\(path)")
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(path)")
            }
        }
    }

    @Test(
        "a driver buys at each store, gives back, spoils and lists; what is unknown or out of bounds is refused by its name"
    )
    func driven() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let google = try SimulatedGoogleShop(keptIn: folder.path)
        try await google.start(port: 0)
        let driver = SimulatorDriver(google.url)
        let bought = try await driver.tell(
            "POST",
            "google/purchases",
            ["product": .text("pro"), "basePlan": .text("monthly"), "price": .text("9.99"), "trial": .whole(7)]
        )
        let token = try #require(try JSON(parsing: Array(bought.utf8))["token"]?.string)
        for (what, state) in [
            ("grace", "IN_GRACE_PERIOD"), ("hold", "ON_HOLD"), ("renew", "ACTIVE"), ("pause", "PAUSED"),
        ] {
            try await driver.tell("POST", "google/lives", ["token": .text(token), "what": .text(what)])
            #expect(google.google.purchase(token)?.state == state)
        }
        try await driver.tell(
            "POST",
            "google/lives",
            ["token": .text(token), "what": .text("price"), "price": .text("12.99")]
        )
        #expect(google.google.purchase(token)?.newPrice?.price.decimalText == "12.99")
        let order = try #require(google.google.purchase(token)?.orders.last)
        try await driver.tell("POST", "google/orders", ["order": .text(order), "what": .text("refund")])
        #expect(google.google.order(order)?.state == "REFUNDED")
        let cases: [(String, [String: SimulatorDriver.Value], String)] = [
            ("google/purchases", ["product": .text("pro"), "basePlan": .text("m"), "price": .text("free")], "price"),
            ("google/purchases", ["product": .text("pro"), "price": .text("1")], "basePlan"),
            ("google/purchases", ["prise": .text("1")], "prise"),
            ("google/lives", ["token": .text("nobody"), "what": .text("renew")], "token"),
            ("google/lives", ["token": .text(token), "what": .text("dance")], "what"),
            ("google/lives", ["token": .text(token), "what": .text("grace"), "days": .whole(31)], "days"),
            ("google/orders", ["order": .text(order), "what": .text("refund")], "order"),
            ("google/answers", ["mood": .text("leavingOut")], "members"),
            ("google/spoil", ["mood": .text("sad")], "mood"),
            ("google/spoil", ["mood": .text("twice"), "times": .whole(0)], "times"),
            ("faults", ["kind": .text("status")], "status"),
            ("faults", ["kind": .text("error")], "kind"),
            ("clock", ["advanceSeconds": .text("soon")], "advanceSeconds"),
        ]
        for (path, members, name) in cases {
            let error = await #expect(throws: SimulatorError.self, "\(path) \(name)") {
                try await driver.tell("POST", path, members)
            }
            #expect(error?.code == .refused && error?.message.hasPrefix(name) == true, "\(path) \(name)")
        }
        await google.stop()
        let error = await #expect(throws: SimulatorError.self) { try await driver.tell("POST", "clock") }
        #expect(error?.code == .unreachable)
    }

    @Test("faults befall as many requests as were ordered, and the desk never", arguments: [503, 500])
    func faults(status: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shop = try SimulatedWeChatShop(keptIn: folder.path)
        try await shop.start(port: 0)
        let driver = SimulatorDriver(shop.url)
        try await driver.tell(
            "POST",
            "faults",
            ["kind": .text("status"), "status": .whole(status), "times": .whole(2)]
        )
        for expected in [status, status, 401] {
            let response = try await HTTPStoreTransport().send(StoreRequest("GET", "\(shop.url)/v3/certificates"))
            #expect(response.status == expected)
            try await driver.tell("GET", "wechat/orders")
        }
        await shop.stop()
    }

    @Test("a clock that is driven leaves signatures by the real time, and makes what is due go out")
    func clock() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let webhook = try await StubStoreClient.start { _, number in number == 0 ? 503 : 200 }
        let clock = SimulatedClock()
        let google = try SimulatedGoogleShop(keptIn: folder.path, webhook: webhook.url, clock: clock)
        try await google.start(port: 0)
        let driver = SimulatorDriver(google.url)
        try await driver.tell("POST", "google/messages", ["what": .text("test")])
        #expect(google.google.pushes.map(\.attempts) == [1])
        try await driver.tell("POST", "deliver")
        #expect(google.google.pushes.map(\.attempts) == [1])
        try await driver.tell("POST", "clock", ["advanceSeconds": .whole(10)])
        #expect(google.google.pushes.map(\.attempts) == [2] && google.google.pushes[0].isDelivered)
        try await driver.tell("POST", "google/spoil", ["mood": .text("dropped")])
        try await driver.tell("POST", "google/spoil", ["mood": .text("twice")])
        try await driver.tell("POST", "google/messages", ["what": .text("test")])
        #expect(webhook.bodies.count == 2)
        try await driver.tell("POST", "clock", ["advanceSeconds": .whole(86_400)])
        #expect(webhook.bodies.count == 4)
        let token = try google.google.delivery(of: google.google.pushes[0]).headers["authorization"]
        let claims = try #require(
            token?.split(separator: ".").dropFirst().first.flatMap { Base64.decode(url: $0.utf8) }
        )
        let issued = try #require(try JSON(parsing: claims)["iat"]?.integer)
        #expect(abs(Date().timeIntervalSince1970 - Double(issued)) < 60)
        await google.stop()
        try await webhook.stop()
    }

    @Test("after its clock was driven WeChat Pay goes on believing who asks, and signs by the real time")
    func believed() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let shop = try SimulatedWeChatShop(keptIn: folder.path)
        try await shop.start(port: 0)
        try await SimulatorDriver(shop.url).tell("POST", "clock", ["advanceSeconds": .whole(86_400)])
        let file = folder.appending(path: "wechat-merchant.key.pem")
        let signer = WeChatPaySigner(
            merchantID: shop.pay.merchant.merchantID,
            serial: shop.pay.merchant.serial,
            key: try WeChatPayKeyText.privateKey(try String(contentsOf: file, encoding: .utf8))
        )
        let authorization = try signer.authorization(
            "GET",
            "/v3/certificates",
            [],
            timestamp: Int64(Date().timeIntervalSince1970),
            nonce: "A"
        )
        let response = try await HTTPStoreTransport().send(
            StoreRequest("GET", "\(shop.url)/v3/certificates", headers: ["authorization": authorization])
        )
        #expect(response.status == 200)
        let signedAt = try #require(response.headers["wechatpay-timestamp"].flatMap { Double($0) })
        #expect(abs(Date().timeIntervalSince1970 - signedAt) < 60)
        await shop.stop()
    }

    @Test("bills differ as they were told to: rows hidden, changed, made up, and broken off")
    func bills() throws {
        var knobs = SimulatedWeChatBillKnobs()
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        let order = SimulatedWeChatOrder(
            number: "A1",
            kind: "NATIVE",
            request: .object([]),
            createdAt: now,
            handle: "",
            total: 600,
            notificationURL: "",
            expiresAt: nil
        )
        #expect(knobs.bent([order]).map(\.total) == [600])
        knobs.amounts = ["A1": 601]
        knobs.strays = [(number: "S1", amount: 5, at: now)]
        #expect(knobs.bent([order]).map(\.total) == [601, 5])
        #expect(knobs.bent([order]).last?.isPaid == true)
        knobs.hidden = ["A1"]
        #expect(knobs.bent([order]).map(\.number) == ["S1"])
    }

    /// Starts each store and returns its entry of the catalogue, without its port.
    private func entries() async throws -> [String] {
        let shops: [any SimulatedShop] = [
            try SimulatedWeChatShop(keptIn: folder.path), try SimulatedAlipayShop(keptIn: folder.path),
            try SimulatedAlipayShop(keptIn: folder.path, usesCertificates: true),
            try SimulatedGoogleShop(keptIn: folder.path),
        ]
        var entries: [String] = []
        for shop in shops {
            try await shop.start(port: 0)
            entries.append(shop.catalogEntry.replacing(shop.url, with: "URL"))
            await shop.stop()
        }
        return entries
    }

    /// The files by name; not that of the service account, which names the port.
    private func contents() throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != "google-service-account.json" }
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
            }
        )
    }
}
