import Billing
import Crypto
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Alipay's notifications, and the page that a customer comes back to") struct AlipayNotificationTests {
    private func vectors() throws -> JSON {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try JSON(parsing: Array(try Data(contentsOf: folder.appending(path: "Interop/alipay_vectors.json"))))
    }

    private func app(of vectors: JSON) throws -> AlipayConfiguration {
        let account = StoreAccount(
            store: .alipay,
            identifier: "2021000000000001",
            isSimulated: false,
            settings: [AlipaySetting.sellerID: "2088000000000001"],
            secrets: [
                AlipaySetting.privateKey: Secret(try #require(vectors["app_private_key_pem"]?.string)),
                AlipaySetting.alipayPublicKey: Secret(try #require(vectors["alipay_public_key_pem"]?.string)),
            ]
        )
        return try #require(try AlipayConfiguration(account))
    }

    private func read(_ body: String, _ shop: AlipayShop) throws -> AlipayNotification {
        try AlipayNotification(body.utf8, for: shop.app, at: shop.clock.now)
    }

    @Test("the vector is read to the letter, its empty member left out; and with one letter changed it is refused")
    func vector() throws {
        let vectors = try vectors()
        let app = try app(of: vectors)
        let body = try #require(vectors["notify"]?["form_body"]?.string)
        let texts = try AlipaySignedForm(body.utf8).texts(mayNameType: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let message = try #require(vectors["notify"]?["message"]?.string)
        #expect(texts.contains(message))
        let notification = try AlipayNotification(body.utf8, for: app, at: AlipayShop.start)
        #expect(notification.id == "2023111500222061321000020001")
        #expect(notification.signedAt == Date(timeIntervalSince1970: 1_700_000_001))
        guard case .payment(let payment) = notification.content else {
            Issue.record("it is \(notification.content)")
            return
        }
        #expect(payment.number == "SUB-1" && payment.transactionID == "2023111522001400020500000001")
        #expect(payment.amount == AlipayShop.yuan(600) && payment.payerAmount == AlipayShop.yuan(600))
        #expect(payment.merchantID == "2088000000000001" && payment.appID == "2021000000000001")
        #expect(payment.paidAt == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(payment.payer?.revealed == "2088000000000002" && payment.bank == "ALIPAYACCOUNT")
        for changed in [
            body.replacing("SUB-1", with: "SUB-2"), body.replacing("6.00", with: "0.01"),
            body.replacing("+100%25", with: "100%25"), body.replacing("100%25", with: "100%2525"),
            body + "&extra=1", body.replacing("version=1.0&", with: ""),
            body.replacing("sign=h", with: "sign=g"),
        ] {
            #expect(
                error(.invalidSignature) { _ = try AlipayNotification(changed.utf8, for: app, at: AlipayShop.start) }
            )
        }
    }

    @Test(
        "empty members signed or left out, unknown ones, spaces and plus signs, UTF-8 and GBK: all are read",
        arguments: [nil, true, false] as [Bool?],
        [false, true]
    )
    func charsets(_ signsEmpty: Bool?, _ isGBK: Bool) async throws {
        for mode in AlipayShop.Mode.allCases {
            let shop = try AlipayShop(mode)
            var order = shop.order()
            order.description = "foobar + 专业版 \"100%\" "
            _ = try await shop.pay.open(order, by: .alipayQR)
            shop.alipay.pay(order.number)
            var knobs = SimulatedAlipayKnobs()
            (knobs.signsEmpty, knobs.isGBK, knobs.hasUnknown) = (signsEmpty, isGBK, true)
            let body = shop.alipay.form(try #require(shop.alipay.notices.first), knobs)
            #expect(body.contains("voucher_detail_list="))
            guard case .payment(let payment) = try read(body, shop).content else {
                Issue.record("it is no payment")
                return
            }
            #expect(payment.amount == order.amount && payment.number == order.number)
        }
    }

    @Test("a refund is told by the payment's own notification, and is no second payment")
    func refund() async throws {
        let shop = try AlipayShop()
        let payment = try await shop.paid()
        _ = try await shop.pay.refund(shop.refund(of: payment, "R1", fen: 100))
        _ = try await shop.pay.refund(shop.refund(of: payment, "R2", fen: 12_700))
        let notices = shop.alipay.notices
        #expect(notices.count == 3)
        for (notice, number) in zip(notices.dropFirst(), ["R1", "R2"]) {
            guard case .refund(let refund, let of) = try read(shop.alipay.form(notice), shop).content else {
                Issue.record("it is no refund")
                return
            }
            #expect(refund.orderNumber == payment.number && refund.transactionID == payment.transactionID)
            #expect(refund.number == number && refund.standing.state == .succeeded)
            // What it says was given back is the sum of all refunds, so it is not told as this one's.
            #expect(refund.standing.amount == nil && refund.standing.succeededAt == AlipayShop.start)
            #expect(of.isRefunded && of.amount == payment.amount)
        }
    }

    @Test("what nobody paid in time is closed")
    func closed() async throws {
        let shop = try AlipayShop()
        _ = try await shop.pay.open(shop.order(), by: .alipayQR)
        shop.alipay.scan("P20250615_0001")
        shop.clock.advance(by: 901)
        _ = try await shop.pay.standing(of: "P20250615_0001")
        let notice = try #require(shop.alipay.notices.first)
        #expect(try read(shop.alipay.form(notice), shop).content == .closed)
    }

    @Test("another key, another app, another seller, and a member twice are refused, each by its reason")
    func refused() async throws {
        let shop = try AlipayShop()
        _ = try await shop.paid()
        let notice = try #require(shop.alipay.notices.first)
        let body = shop.alipay.form(notice)
        var knobs = SimulatedAlipayKnobs()
        knobs.isForged = true
        let forged = shop.alipay.form(notice, knobs)
        #expect(error(.invalidSignature) { _ = try self.read(forged, shop) })
        func read(as change: (inout StoreAccount) -> Void) throws {
            var account = shop.account
            change(&account)
            let app = try #require(try AlipayConfiguration(account))
            _ = try AlipayNotification(body.utf8, for: app, at: shop.clock.now)
        }
        #expect(error(.wrongApp) { try read { $0.identifier = "2021000000000002" } })
        #expect(error(.wrongApp) { try read { $0.settings[AlipaySetting.sellerID] = "2088000000000002" } })
        #expect(error(.misconfigured) { try read { $0.settings[AlipaySetting.sellerID] = nil } })
        #expect(error(.malformed) { _ = try self.read(body + "&out_trade_no=P2", shop) })
        #expect(error(.malformed) { _ = try self.read(body + "&app_id=2021000000000001", shop) })
        #expect(try AlipayNotification.claimedAppID(body.utf8) == SignInStore.alipayID)
        for junk in [
            "", "&&&", "a", "=b", "a=%", "a=%4", "a=%zz", "sign=&a=b", "%FF=1&sign=a", "sign=a&sign_type=RSA",
            String(repeating: "a", count: 100_000), (0..<300).map { "a\($0)=1" }.joined(separator: "&"),
        ] {
            #expect(throws: GatewayError.self) { try self.read(junk, shop) }
        }
    }

    @Test("whatever is in its fields, a signed notification is read or refused, and ends nothing")
    func odd() async throws {
        let shop = try AlipayShop()
        _ = try await shop.paid()
        let notice = try #require(shop.alipay.notices.first)
        let names = notice.fields.map(\.name)
        for name in names {
            for value in [
                "", "-1.00", "1e3", "6.001", "99999999999999999999.00", "NaN", "2023-02-30 00:00:00", "\u{1F338}",
                "a b",
            ] {
                let fields = notice.fields.map { $0.name == name ? ($0.name, value) : $0 }
                let body = signed(fields, shop)
                do {
                    let read = try read(body, shop)
                    #expect(
                        name != "total_amount" && name != "trade_status" && name != "app_id",
                        "\(name)=\(value): \(read)"
                    )
                } catch {
                    #expect(error is GatewayError)
                }
            }
        }
    }

    private func signed(_ fields: [(name: String, value: String)], _ shop: AlipayShop) -> String {
        let text = AlipayRequest.signedText(fields.map { ($0.name, $0.value) })
        let key = try? AlipayShop.keys.get().alipay
        let signature = try? key?.signature(for: SHA256.hash(data: Data(text.utf8)), padding: .insecurePKCS1v1_5)
        let sign = signature?.rawRepresentation.base64EncodedString() ?? ""
        return FormFields.encode(fields.map { ($0.name, $0.value) } + [("sign_type", "RSA2"), ("sign", sign)])
    }

    @Test("it is sent eight times within 25 hours until it is taken, and once more by nobody")
    func schedule() async throws {
        let webhook = StubTransport([.page(200)])
        let shop = try AlipayShop(webhook: webhook)
        _ = try await shop.paid()
        await shop.alipay.deliverDue()
        var hours: [TimeInterval] = [0]
        for _ in 0..<400 {
            shop.clock.advance(by: 240)
            let count = webhook.asked.count
            await shop.alipay.deliverDue()
            if webhook.asked.count > count { hours.append(shop.clock.now.timeIntervalSince(AlipayShop.start)) }
        }
        #expect(hours.count == 8 && webhook.asked.count == 8)
        #expect((hours.last ?? 0) < 25 * 3_600 && (hours.last ?? 0) > 24 * 3_600)
        #expect(Set(webhook.asked.map(\.body)).count == 1)
        let taker = StubTransport([.page(500), .response(StoreResponse(status: 200, body: Data("success".utf8)))])
        let other = try AlipayShop(webhook: taker)
        _ = try await other.paid()
        await other.alipay.deliverDue()
        other.clock.advance(by: 240)
        await other.alipay.deliverDue()
        other.clock.advance(by: 90_000)
        await other.alipay.deliverDue()
        #expect(taker.asked.count == 2 && other.alipay.notices.first?.isDelivered == true)
        #expect(Data(AlipayNotification.accepted.utf8).count == 7)
    }

    @Test(
        "the page that a customer comes back to is believed with sign_type signed and without, and names an order alone"
    )
    func returned() async throws {
        let shop = try AlipayShop()
        _ = try await shop.pay.open(shop.order(), by: .alipayPage)
        _ = try await shop.pay.open(shop.order("P2"), by: .alipayQR)
        for signsType in [true, false] {
            let query = try #require(shop.alipay.returnQuery(of: "P2", signsType: signsType))
            let page = try AlipayReturnPage(query.utf8, for: shop.app, at: shop.clock.now)
            #expect(page.number == "P2")
            let changed = query.replacing("out_trade_no=P2", with: "out_trade_no=P3")
            #expect(
                error(.invalidSignature) { _ = try AlipayReturnPage(changed.utf8, for: shop.app, at: shop.clock.now) }
            )
            // It is no notification.
            #expect(throws: GatewayError.self) { try read(query, shop) }
        }
    }
}
