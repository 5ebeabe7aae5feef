import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Keys of WeChat Pay are checked as they are entered") struct WeChatPayKeyTests {
    private static let certificate = Result {
        try SimulatedWeChatSigner(certificateValidIn: PayStore.start.addingTimeInterval(-86_400)...PayStore.start)
    }
    private static let own = PayStore.key
    private static let wechats = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private static func key() throws -> StoreKey {
        StoreKey(
            kind: .api,
            settings: [
                WeChatSetting.merchantID: PayStore.merchantID, WeChatSetting.merchantSerial: PayStore.serial,
                WeChatSetting.payPublicKeyID: "PUB_KEY_ID_0119000000012024111100000000000001",
            ],
            secrets: [
                WeChatSetting.merchantKey: Secret(try own.get().pkcs8PEMRepresentation),
                WeChatSetting.apiV3Key: Secret(PayStore.apiV3Key),
                WeChatSetting.payPublicKey: Secret(try wechats.get().publicKey.pemRepresentation),
                WeChatSetting.platformCertificates: Secret(""),
            ]
        )
    }

    private static func gateway(at now: Date = PayStore.start) -> WeChatGateway {
        WeChatGateway(clock: AppleServerClock(now: { now }, sleep: { _ in }, jitter: { 0 }))
    }

    private func failure(at now: Date = PayStore.start, _ bend: (inout StoreKey) throws -> Void) throws -> GatewayError?
    {
        var key = try Self.key()
        try bend(&key)
        do {
            try Self.gateway(at: now).check(key)
            return nil
        } catch {
            #expect(error.code == .misconfigured && !error.message.contains("\n"))
            return error
        }
    }

    @Test("a good key is taken, as PKCS#8 and PKCS#1, and without what is not needed") func good() throws {
        #expect(try failure { _ in } == nil)
        #expect(try failure { $0.secrets["merchantKey"] = Secret(try Self.own.get().pemRepresentation) } == nil)
        #expect(
            try failure { key in
                key.settings["payPublicKeyId"] = ""
                key.secrets["payPublicKey"] = nil
            } == nil
        )
        let shape = WeChatGateway.payKey
        #expect(Set(shape.settings + shape.secrets) == Set(WeChatSetting.pay))
        #expect(shape.optional == ["payPublicKeyId", "payPublicKey", "platformCertificates"])
    }

    @Test("what is wrong is said in a line, by its field") func wrong() throws {
        let own = try Self.own.get()
        let cases: [(field: String, text: String, words: String)] = [
            ("merchantId", "", "digits"), ("merchantId", "wxd930ea5d5a258f4f", "digits"),
            ("merchantSerial", "", "forty"), ("merchantSerial", "PUB_KEY_ID_01", "forty"),
            ("merchantKey", "", "RSA"), ("merchantKey", "no key", "RSA"),
            ("merchantKey", own.publicKey.pemRepresentation, "public key"),
            ("merchantKey", try Self.certificate.get().pem, "apiclient_cert.pem"),
            ("merchantKey", String(repeating: "a", count: 100_000), "RSA"), ("apiV3Key", "", "0 bytes"),
            ("apiV3Key", "0123456789abcdef0123456789ABCDE", "31 bytes"),
            ("apiV3Key", "0123456789abcdef 123456789ABCDEF", "thirty-two"),
            ("payPublicKeyId", "0119000000012024111100000000000001", "PUB_KEY_ID_"),
            ("payPublicKeyId", "", "PUB_KEY_ID_"),
            ("payPublicKey", "", "missing"), ("payPublicKey", own.publicKey.pemRepresentation, "merchant's own"),
            ("payPublicKey", own.pkcs8PEMRepresentation, "private key"),
            ("payPublicKey", try Self.certificate.get().pem, "certificate"), ("payPublicKey", "1.5", "RSA"),
            ("platformCertificates", "1.5", "certificate"),
            ("platformCertificates", own.publicKey.pemRepresentation, "certificate"),
        ]
        for (field, text, words) in cases {
            let failure = try failure { key in
                if WeChatGateway.payKey.settings.contains(field) {
                    key.settings[field] = text
                } else {
                    key.secrets[field] = Secret(text)
                }
            }
            #expect(failure?.field == field, "\(field) \(text.prefix(40))")
            #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "nothing")")
        }
    }

    @Test("a certificate counts until its end; an ended one is refused as it is entered, and does no harm later")
    func ended() throws {
        let pem = try Self.certificate.get().pem
        let before = PayStore.start.addingTimeInterval(-1)
        #expect(try failure(at: before) { $0.secrets["platformCertificates"] = Secret(pem) } == nil)
        let failure = try failure { $0.secrets["platformCertificates"] = Secret(pem) }
        #expect(failure?.field == "platformCertificates" && failure?.message.contains("ended") == true)
        let key = try Self.key()
        var account = StoreAccount(
            store: .wechat,
            identifier: PayStore.appID,
            isSimulated: false,
            settings: key.settings,
            secrets: key.secrets
        )
        account.secrets["platformCertificates"] = Secret(pem + "\n" + pem)
        try Self.gateway().check(account)
        #expect(try Self.gateway().pay(of: account)?.merchant.certificates.count == 2)
        #expect(try Self.gateway().pay(of: account)?.merchant.addresses.count == 2)
    }

    @Test("an account is checked by section and field; one that says nothing of WeChat Pay has none")
    func accounts() throws {
        let key = try Self.key()
        var account = StoreAccount(store: .wechat, identifier: PayStore.appID, isSimulated: false)
        #expect(try Self.gateway().pay(of: account) == nil)
        account.settings = key.settings
        account.secrets = key.secrets
        func field() -> String? { #expect(throws: GatewayError.self) { try Self.gateway().check(account) }?.field }
        account.secrets["apiV3Key"] = Secret("short")
        #expect(field() == "secrets.apiV3Key")
        account.secrets["apiV3Key"] = Secret(PayStore.apiV3Key)
        account.settings["merchantId"] = nil
        #expect(field() == "settings.merchantId")
        account.settings["merchantId"] = PayStore.merchantID
        account.settings["payAddress"] = "http://127.0.0.1:1"
        #expect(field() == "settings.payAddress")
        account.isSimulated = true
        try Self.gateway().check(account)
        account.settings["payAddress"] = nil
        #expect(field() == "settings.payAddress")
    }
}
