import Billing
import CryptoExtras
import Foundation
import Testing

@testable import Gateways

/// Checks signatures and ciphertexts against vectors that were made and checked elsewhere (payments.md, 2).
@Suite("What is signed for WeChat Pay, and by it, to the letter") struct WeChatPayVectorTests {
    private let vectors: JSON
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        vectors = try JSON(
            parsing: Array(try Data(contentsOf: folder.appending(path: "Interop/wechat_pay_vectors.json")))
        )
    }

    private func text(_ name: String) throws -> String { try #require(vectors[name]?.string) }

    private func list(_ name: String) throws -> [JSON] {
        guard case .array(let entries)? = vectors[name] else { throw Judge.Unusable() }
        return entries
    }

    private func merchant(certificates: Bool = true, publicKey: Bool = true) throws -> WeChatPayConfiguration {
        var account = StoreAccount(
            store: .wechat,
            identifier: "wx0000000000000001",
            isSimulated: false,
            settings: [
                WeChatSetting.merchantID: try text("mchid"),
                WeChatSetting.merchantSerial: try text("merchant_serial"),
            ],
            secrets: [
                WeChatSetting.merchantKey: Secret(try text("merchant_private_key_pem")),
                WeChatSetting.apiV3Key: Secret(try text("apiv3_key")),
            ]
        )
        if certificates {
            account.secrets[WeChatSetting.platformCertificates] = Secret(try text("platform_certificate_pem"))
        }
        if publicKey {
            account.settings[WeChatSetting.payPublicKeyID] = try text("wechatpay_public_key_id")
            account.secrets[WeChatSetting.payPublicKey] = Secret(try text("wechatpay_public_key_pem"))
        }
        return try #require(try WeChatPayConfiguration(account))
    }

    private func keys(_ merchant: WeChatPayConfiguration) -> WeChatPayKeys {
        WeChatPayKeys(of: merchant) { _ in [] }
    }

    private static func headers(_ entry: JSON) -> [String: String] {
        guard case .object(let members)? = entry["headers"] else { return [:] }
        return Dictionary(members.compactMap { member in member.value.string.map { (member.name.lowercased(), $0) } }) {
            first,
            _ in first
        }
    }

    private static func body(_ entry: JSON) -> [UInt8] { Array((entry["body"]?.string ?? "").utf8) }

    @Test("requests are signed as the vectors are") func requests() throws {
        let signer = try merchant().signer
        for entry in try list("requests") {
            let method = try #require(entry["method"]?.string)
            let target = try #require(entry["url"]?.string)
            let nonce = try text("nonce")
            let message = WeChatPaySigner.message([method, target, "1700000000", nonce], Self.body(entry))
            #expect(String(decoding: message, as: UTF8.self) == entry["message"]?.string)
            let authorization = try signer.authorization(
                method,
                target,
                Self.body(entry),
                timestamp: 1_700_000_000,
                nonce: nonce
            )
            #expect(authorization == entry["authorization"]?.string)
        }
        #expect(try list("requests").count == 5)
    }

    @Test("what pages and apps hand to WeChat is signed as the vectors are") func invocations() throws {
        let id = "wx14000000000000000000000000000001"
        let (merchant, nonce) = (try merchant(), try text("nonce"))
        let page = try WeChatPayInvocation.page(id, of: merchant, timestamp: 1_700_000_000, nonce: nonce)
        let app = try WeChatPayInvocation.app(id, of: merchant, timestamp: 1_700_000_000, nonce: nonce)
        let known = try list("invoke")
        #expect(page.last?.value == known[0]["signature"]?.string)
        #expect(app.last?.value == known[1]["signature"]?.string)
        #expect(page.map(\.name) == ["appId", "timeStamp", "nonceStr", "package", "signType", "paySign"])
        #expect(page.map(\.value).dropLast() == [merchant.appID, "1700000000", nonce, "prepay_id=\(id)", "RSA"])
        #expect(app.map(\.name) == ["appid", "partnerid", "prepayid", "package", "noncestr", "timestamp", "sign"])
        #expect(app.map(\.value)[1...4] == [merchant.merchantID, id, "Sign=WXPay", nonce])
    }

    @Test("answers hold by certificate and by public key, also one without a body; changed ones do not")
    func responses() async throws {
        let keys = keys(try merchant())
        for entry in try list("responses") {
            let signature = try WeChatPaySignature(Self.headers(entry), Self.body(entry), at: now)
            try signature.verify(by: try await keys.key(of: signature.serial, at: now))
            let changed = try WeChatPaySignature(Self.headers(entry), Self.body(entry) + [0x20], at: now)
            await #expect(throws: GatewayError.self) {
                try changed.verify(by: try await keys.key(of: changed.serial, at: now))
            }
        }
        #expect(try list("responses").count == 3)
    }

    @Test("notifications are read, by certificate and by public key side by side; a probe is refused")
    func notifications() async throws {
        let merchant = try merchant()
        let keys = keys(merchant)
        for entry in try list("notifications") {
            func read() async throws -> WeChatPayNotification {
                try await WeChatPayNotification(
                    Self.body(entry),
                    headers: Self.headers(entry),
                    for: merchant,
                    by: keys,
                    at: now
                )
            }
            guard entry["name"]?.string?.hasPrefix("signature probe") != true else {
                let error = await #expect(throws: GatewayError.self) { _ = try await read() }
                #expect(error?.code == .invalidSignature)
                continue
            }
            let notification = try await read()
            #expect(notification.id == "EV-2018022511223320873")
            #expect(notification.type == entry["name"]?.string)
            #expect(notification.createdAt == now.addingTimeInterval(1))
            switch notification.content {
            case .payment(let payment):
                #expect(payment.number == "SUB-20231114-0001")
                #expect(payment.transactionID == "4200000000202311140000000001")
                #expect(payment.merchantID == "1900000001" && payment.appID == "wx0000000000000001")
                #expect(payment.amount == .fen(600) && payment.payerAmount == .fen(600))
                #expect(payment.paidAt == now && payment.kind == "NATIVE" && payment.bank == "OTHERS")
                #expect(payment.payer?.revealed == "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" && !payment.isRefunded)
            case .refund(let notice):
                #expect(notice.orderNumber == "SUB-20231114-0001" && notice.number == "R-1")
                #expect(notice.merchantID == "1900000001")
                #expect(notice.standing.state == .succeeded && notice.standing.amount == .fen(100))
                #expect(notice.standing.storeID == "50000000382023111400000000001")
                #expect(notice.standing.receiver == "支付用户零钱")
            case .ignored: Issue.record("it is ignored")
            }
        }
        #expect(try list("notifications").count == 4)
    }

    @Test("the certificates are opened with the APIv3 key, and believed by the one among them that signed")
    func certificates() throws {
        let merchant = try merchant(certificates: false, publicKey: false)
        let entry = try #require(vectors["certificates_response"])
        let good = StoreResponse(status: 200, headers: Self.headers(entry), body: Data(Self.body(entry)))
        let read = try WeChatPayCertificates(good, to: merchant, at: now)
        #expect(read.all.map(\.serial.text) == ["7CC6E0E5FD414F948F53D83504F6DCB296901DD5"])
        var changed = good
        changed.body.append(0x20)
        #expect(error(.invalidSignature) { _ = try WeChatPayCertificates(changed, to: merchant, at: now) })
        var other = good
        other.headers["wechatpay-serial"] = "7CC6E0E5FD414F948F53D83504F6DCB296901DD6"
        #expect(error(.invalidSignature) { _ = try WeChatPayCertificates(other, to: merchant, at: now) })
        let none = Data(#"{"code":"RESOURCE_NOT_EXISTS","message":"无可用的平台证书"}"#.utf8)
        let missing = StoreResponse(status: 404, body: none)
        let failure = #expect(throws: GatewayError.self) {
            _ = try WeChatPayCertificates(missing, to: merchant, at: now)
        }
        #expect(failure?.code == .misconfigured && failure?.field == "payPublicKey")
    }
}
