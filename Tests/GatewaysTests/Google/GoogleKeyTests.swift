import Billing
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("The service account's key is checked as it is entered") struct GoogleKeyTests {
    private func problem(_ change: (inout JSON) -> Void) async throws -> String? {
        try await complaint(of: { json in
            change(&json)
            return String(decoding: json.bytes, as: UTF8.self)
        })
    }

    private func complaint(of text: (inout JSON) -> String) async throws -> String? {
        var problem: String?
        try await GoogleStore.run { store in
            var json = store.google.serviceAccountFile
            let key = StoreKey(kind: .api, secrets: [GoogleSetting.serviceAccount: Secret(text(&json))])
            do throws(GatewayError) {
                try store.gateway.check(key)
            } catch {
                #expect(error.code == .misconfigured)
                #expect(error.field == GoogleSetting.serviceAccount)
                #expect(!"\(error)".contains("PRIVATE"))
                problem = error.message
            }
        }
        return problem
    }

    @Test("the whole file is taken; what is wrong with another is said in one line") func files() async throws {
        #expect(try await problem { _ in } == nil)
        #expect(try await problem { $0["type"] = "authorized_user" }?.contains("service_account") == true)
        #expect(try await problem { $0["private_key"] = nil } == "The service account's file has no private_key.")
        #expect(try await problem { $0["client_email"] = "nobody" }?.contains("client_email") == true)
        #expect(try await problem { $0["private_key"] = "-----BEGIN PRIVATE KEY-----" }?.contains("RSA") == true)
        #expect(try await problem { $0["token_uri"] = "nowhere" }?.contains("token_uri") == true)
        #expect(try await problem { $0 = ["installed": [:]] }?.contains("OAuth client") == true)
        #expect(try await complaint { _ in "-----BEGIN" }?.contains("no JSON") == true)
        #expect(try await complaint { _ in "[]" }?.contains("no JSON object") == true)
        #expect(try await complaint { _ in String(repeating: "a", count: 20_000) }?.contains("10,000") == true)
    }

    @Test("of an app of the store only Google itself gives out tokens") func realStore() async throws {
        try await GoogleStore.run { store in
            var account = store.account
            account.isSimulated = false
            account.settings = [:]
            #expect(throws: GatewayError.self) { try store.gateway.check(account) }
            var file = store.google.serviceAccountFile
            file["token_uri"] = .string(GoogleServiceAccount.tokenURL)
            account.secrets[GoogleSetting.serviceAccount] = Secret(String(decoding: file.bytes, as: UTF8.self))
            try store.gateway.check(account)
            account.settings[GoogleSetting.api] = "http://androidpublisher.example.com"
            #expect(throws: GatewayError.self) { try store.gateway.check(account) }
        }
    }

    @Test("an app of a test store never asks Google; a package name has parts; who pushes is said whole")
    func accounts() async throws {
        try await GoogleStore.run { store in
            func field(_ change: (inout StoreAccount) -> Void) -> String? {
                var account = store.account
                change(&account)
                do throws(GatewayError) {
                    try store.gateway.check(account)
                    return nil
                } catch {
                    return error.field
                }
            }
            #expect(field { _ in } == nil)
            #expect(field { $0.settings[GoogleSetting.api] = nil } == "settings.api")
            #expect(field { $0.settings[GoogleSetting.certificates] = nil } == "settings.certs")
            #expect(field { $0.identifier = "example" } == "identifier")
            #expect(field { $0.identifier = "com.1app" } == "identifier")
            #expect(field { $0.settings[GoogleSetting.pushAudience] = nil } == "settings.push.audience")
            #expect(field { $0.settings[GoogleSetting.pushAccount] = "x" } == "settings.push.account")
            #expect(field { $0.settings[GoogleSetting.pushSubscription] = "rtdn" } == "settings.push.subscription")
        }
    }

    @Test("the key cannot be printed") func secret() async throws {
        try await GoogleStore.run { store in
            let account = try #require(try GoogleConfiguration(store.account).serviceAccount)
            #expect("\(account)" == "GoogleServiceAccount")
            var dumped = ""
            dump(account, to: &dumped)
            #expect(!dumped.contains("PRIVATE") && !dumped.contains("sim.iam"))
        }
    }
}
