import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Checks python-alipay-sdk and Alipay's own alipay-sdk-python against ours, so that our client and our simulator are not judged by each
/// other alone.
@Suite("Others' clients pay at the simulated Alipay", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct AlipayPayJudgeTests {
    @Test(
        "they get through each call that they have, and believe and disbelieve what is signed as ours does",
        arguments: [("", "alipay_pay.py", 98), ("-alipay", "alipay_official.py", 32)]
    )
    func pay(_ environment: String, _ script: String, _ count: Int) async throws {
        let judge = try Judge(environment: environment)
        defer { judge.removeFolder() }
        let certificates = try AlipayShop.certificates.get()
        let shops = try [Open(certificates: nil), Open(certificates: certificates)]
        for shop in shops { try await shop.server.start() }
        let code = shops[0].alipay.signIn(SimulatedAlipayAccount(openID: "open-wang", nickname: "王"))
        let known: JSON = [
            "key": .string(shops[0].server.url()), "certificate": .string(shops[1].server.url()),
            "appId": .string(SignInStore.alipayID), "sellerId": .string(SimulatedAlipay.sellerID),
            "code": .string(code), "openId": "open-wang", "carried": try await carried(),
            "notice": .string(try await notice()), "ours": try ours(certificates),
        ]
        let keys = try AlipayShop.keys.get()
        try judge.write(known.bytes, to: "pay.json")
        for (name, text) in [
            ("app_private.pem", keys.app.pemRepresentation), ("app_public.pem", keys.app.publicKey.pemRepresentation),
            ("alipay_public.pem", keys.alipay.publicKey.pemRepresentation), ("app_cert.pem", certificates.app),
            ("alipay_cert.pem", certificates.alipay), ("root_cert.pem", certificates.roots),
        ] {
            try judge.write(Array(text.utf8), to: name)
        }
        let verdict = try await judge.runAside(script)
        for shop in shops { await shop.server.stop() }
        #expect(verdict.status == 0, "\(verdict.output)")
        #expect(verdict.output.hasSuffix("\(count) passed, 0 failed\n"), "\(verdict.output)")
    }

    /// A simulated Alipay that listens, by the day's own clock.
    private struct Open {
        let alipay: SimulatedAlipay
        let server: SimulatedAppleServer

        init(certificates: SimulatedAlipayCertificates?) throws {
            let keys = try AlipayShop.keys.get()
            alipay = SimulatedAlipay(
                appID: SignInStore.alipayID,
                appKey: keys.app.publicKey,
                key: keys.alipay,
                certificates: certificates,
                transport: StubTransport([.page(200)])
            )
            server = SimulatedAppleServer(authority: try TestAuthority(), endpoints: alipay.endpoints)
        }
    }

    /// The forms that our client signs for browsers and apps.
    private func carried() async throws -> JSON {
        let shop = try AlipayShop()
        guard case .form(_, let fields) = try await shop.pay.open(shop.order("PAGE_1"), by: .alipayPage),
            case .redirect(let address) = try await shop.pay.open(shop.order("WAP_1"), by: .alipayWap),
            case .orderText(let text) = try await shop.pay.open(shop.order("APP_1"), by: .alipayApp)
        else { throw Absent() }
        let form = FormFields.encode(fields.map { ($0.name, $0.value) } + [("charset", "utf-8")])
        return [
            "page": .string(form), "wap": .string(String(address.drop { $0 != "?" }.dropFirst())), "app": .string(text),
        ]
    }

    private func notice() async throws -> String {
        let shop = try AlipayShop()
        _ = try await shop.paid()
        return shop.alipay.form(try #require(shop.alipay.notices.first))
    }

    /// The names of certificates, as our client reckons them.
    private func ours(_ certificates: SimulatedAlipayCertificates) throws -> JSON {
        let keys = try AlipayKeys(AlipayShop.account(certificates).secrets)
        let alipays = try #require(AlipayKeyText.certificates(certificates.alipay)?.first)
        return [
            "app": .string(keys.certificates?.app ?? ""), "roots": .string(keys.certificates?.roots ?? ""),
            "alipay": .string(try AlipayCertificate(alipays).serial),
        ]
    }
}
