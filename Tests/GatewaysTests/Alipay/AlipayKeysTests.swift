import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Alipay's keys and certificates, as they are entered") struct AlipayKeysTests {
    private typealias Name = AlipaySetting

    private func problem(_ change: (inout [String: Secret]) throws -> Void) throws -> GatewayError? {
        var secrets = AlipayShop.account(try AlipayShop.certificates.get()).secrets
        try change(&secrets)
        return problem(secrets)
    }

    private func problem(_ secrets: [String: Secret], at now: Date = AlipayShop.start) -> GatewayError? {
        do throws(GatewayError) {
            try AlipayKeys(secrets).requireValid(at: now)
            return nil
        } catch {
            return error
        }
    }

    @Test("certificate mode names the app's certificate and Alipay's roots, as the simulated Alipay reckons them")
    func names() throws {
        let certificates = try AlipayShop.certificates.get()
        let keys = try AlipayKeys(AlipayShop.account(certificates).secrets)
        #expect(keys.certificates == AlipayKeys.Names(app: certificates.appSerial, roots: certificates.rootSerial))
        #expect(AlipayCertificate.decimal([]) == "0")
        #expect(AlipayCertificate.decimal([0, 255]) == "255")
        #expect(AlipayCertificate.decimal([1] + Array(repeating: UInt8(0), count: 8)) == "18446744073709551616")
        #expect(
            AlipayCertificate.decimal(Array(repeating: UInt8(255), count: 20))
                == "1461501637330902918203684832716283019655932542975"
        )
    }

    @Test("what was mixed up is said in one line, by the field that it stands in")
    func mixedUp() throws {
        let keys = try AlipayShop.keys.get()
        let certificates = try AlipayShop.certificates.get()
        let other = try SimulatedAlipayCertificates(
            appKey: try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey,
            alipayKey: try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey
        )
        let cases: [(field: String, words: String, change: (inout [String: Secret]) -> Void)] = [
            (Name.privateKey, "a public key", { $0[Name.privateKey] = Secret(keys.app.publicKey.pemRepresentation) }),
            (Name.privateKey, "a certificate", { $0[Name.privateKey] = Secret(certificates.app) }),
            (Name.privateKey, "request", { $0[Name.privateKey] = Secret("-----BEGIN CERTIFICATE REQUEST-----") }),
            (Name.privateKey, "password", { $0[Name.privateKey] = Secret("-----BEGIN ENCRYPTED PRIVATE KEY-----") }),
            (Name.privateKey, "2,048", { $0[Name.privateKey] = nil }),
            (Name.appCertificate, "another key", { $0[Name.appCertificate] = Secret(other.app) }),
            (Name.appCertificate, "another key", { $0[Name.appCertificate] = Secret(certificates.alipay) }),
            (Name.appCertificate, "appCertPublicKey", { $0[Name.appCertificate] = nil }),
            (Name.alipayCertificate, "app's own", { $0[Name.alipayCertificate] = Secret(certificates.app) }),
            (Name.alipayCertificate, "lead", { $0[Name.alipayCertificate] = Secret(other.alipay) }),
            (Name.alipayCertificate, "alipayCertPublicKey", { $0[Name.alipayCertificate] = Secret("nothing") }),
            (Name.alipayRootCertificate, "alipayRootCert", { $0[Name.alipayRootCertificate] = Secret("nothing") }),
            (Name.alipayPublicKey, "one of the two", { $0[Name.alipayPublicKey] = Secret("x") }),
        ]
        for (field, words, change) in cases {
            let problem = try problem(change)
            #expect(problem?.code == .misconfigured && problem?.field == field, "\(field), \(words)")
            #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "nothing")")
            #expect(problem?.message.contains("\n") == false)
        }
        #expect(try problem { _ in } == nil)
        let plain = [
            Name.privateKey: Secret(keys.app.pemRepresentation),
            Name.alipayPublicKey: Secret(keys.app.publicKey.pemRepresentation),
        ]
        #expect(problem(plain)?.message.contains("app's own public key") == true)
        let swapped = [
            Name.privateKey: Secret(keys.app.pemRepresentation),
            Name.alipayPublicKey: Secret(keys.app.pemRepresentation),
        ]
        #expect(problem(swapped)?.message.contains("a private key") == true)
        let certified = [
            Name.privateKey: Secret(keys.app.pemRepresentation), Name.alipayPublicKey: Secret(certificates.alipay),
        ]
        #expect(problem(certified)?.message.contains("a certificate") == true)
    }

    @Test("a certificate that is over is told with its day, and signs nothing")
    func expired() async throws {
        let keys = try AlipayShop.keys.get()
        let end = AlipayShop.start - 86_400
        let certificates = try SimulatedAlipayCertificates(
            appKey: keys.app.publicKey,
            alipayKey: keys.alipay.publicKey,
            validity: (end - 86_400 * 365)...end
        )
        let account = AlipayShop.account(certificates)
        let problem = problem(account.secrets)
        #expect(problem?.field == Name.appCertificate && problem?.message.contains("2025-06-14") == true)
        #expect(self.problem(account.secrets, at: end - 1) == nil)
        let signers = try AlipayKeys(account.secrets).signers
        let signature = try keys.alipay.signature(for: Data("{}".utf8), padding: .insecurePKCS1v1_5)
        let text = signature.rawRepresentation.base64EncodedString()
        try signers.requireSigned(Array("{}".utf8), as: text, serial: certificates.alipaySerial, at: end - 1)
        #expect(
            error(.invalidSignature) {
                try signers.requireSigned(
                    Array("{}".utf8),
                    as: text,
                    serial: certificates.alipaySerial,
                    at: AlipayShop.start
                )
            }
        )
    }

    @Test("a signature under the name of a certificate that nobody has here holds for none")
    func stranger() throws {
        let signers = try AlipayKeys(AlipayShop.account(try AlipayShop.certificates.get()).secrets).signers
        let nobodys = String(repeating: "0", count: 32)
        let unknown = #expect(throws: GatewayError.self) {
            try signers.requireSigned([0x7B], as: nil, serial: nobodys, at: AlipayShop.start)
        }
        #expect(unknown?.field == "alipay_cert_sn")
        #expect(signers.end == TestCertificate.always.upperBound)
    }

    @Test("the seller's id is asked for by its form, and nothing is sold without it")
    func seller() throws {
        var account = AlipayShop.account(nil)
        let gateway = AlipayGateway()
        #expect(try gateway.pay(of: account)?.sellerID == SimulatedAlipay.sellerID)
        account.settings[AlipaySetting.sellerID] = "2089000000000001"
        let wrong = #expect(throws: GatewayError.self) { try gateway.check(account) }
        #expect(wrong?.field == "settings.sellerId")
        account.settings[AlipaySetting.sellerID] = nil
        #expect(try gateway.pay(of: account) == nil)
        #expect(try gateway.signIn(of: account) != nil)
    }

    @Test("people sign in in certificate mode, too")
    func signIn() async throws {
        let shop = try AlipayShop(.certificate)
        let gateway = AlipayGateway(transport: shop.transport)
        let provider = try #require(try gateway.signIn(of: shop.account))
        let code = shop.alipay.signIn(SimulatedAlipayAccount(openID: "open-wang", nickname: "王"))
        let identity = try await provider.exchange(SignInCredential(code: Secret(code)), at: shop.clock.now)
        #expect(identity.subject == "open-wang" && identity.profile.nickname == "王")
    }
}
