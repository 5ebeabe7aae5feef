import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

@Suite("Signing in with Alipay") struct AlipaySignInTests {
    private static let token = "alipay.system.oauth.token"
    private static let profile = "alipay.user.info.share"
    private static let wang = SimulatedAlipayAccount(
        openID: "074a1CcTG1LelxKe4xQC0zgNdId0nxi95b5lsNpazWYoCo5",
        userID: "2088102104794936",
        nickname: "王小明 \\ \"明\" {",
        avatarURL: "https://tfs.alipayobjects.com/images/partner/T1IRJXXa"
    )

    @Test(
        "a code becomes the open_id with the user_id beside it, and the profile; neither code nor token stands in an address"
    )
    func exchanged() async throws {
        try await SignInStore.run { store in
            let identity = try await store.exchange(store.alipay.signIn(Self.wang), with: .alipay)
            #expect(identity.provider == .alipay)
            #expect(identity.subject == Self.wang.openID)
            #expect(identity.otherSubjects == ["2088102104794936"])
            #expect(identity.clientID == SignInStore.alipayID)
            #expect(identity.profile.nickname == Self.wang.nickname)
            #expect(identity.profile.avatarURL == Self.wang.avatarURL)
            #expect(store.alipay.asked == [Self.token, Self.profile])
            let common = [
                "app_id", "charset", "format", "method", "sign_type", "timestamp", "version", "sign",
            ]
            #expect(store.alipay.queries == [common, common])
        }
    }

    @Test("an app of the old kind is told the user_id alone; a silent authorization has no profile")
    func userIDAlone() async throws {
        try await SignInStore.run { store in
            let old = SimulatedAlipayAccount(userID: "2088102104794936", nickname: "王")
            let identity = try await store.exchange(store.alipay.signIn(old), with: .alipay)
            #expect(identity.subject == "2088102104794936")
            #expect(identity.otherSubjects == [])
            #expect(identity.profile == ProviderProfile(nickname: "王"))
            let silent = try await store.exchange(store.alipay.signIn(Self.wang, scope: "auth_base"), with: .alipay)
            #expect(silent.subject == Self.wang.openID)
            #expect(silent.profile == ProviderProfile())
        }
    }

    @Test("a code is good once, and what is no code is not shown to Alipay")
    func codes() async throws {
        try await SignInStore.run { store in
            let code = store.alipay.signIn(Self.wang)
            #expect(await store.failure(code, with: .alipay) == nil)
            let again = await store.failure(code, with: .alipay)
            #expect(again?.code == .invalidCode)
            #expect(again?.providerCode == "isv.code-invalid")
            let old = store.alipay.signIn(Self.wang)
            store.clock.advance(by: 86_401)
            #expect(await store.failure(old, with: .alipay)?.code == .invalidCode)
            let before = store.alipay.asked.count
            for text in ["", "a b", "a\0b", "码", String(repeating: "a", count: 100_000)] {
                #expect(await store.failure(text, with: .alipay)?.field == "code")
            }
            #expect(store.alipay.asked.count == before)
        }
    }

    @Test(
        "what Alipay did not sign as it came signs nobody in",
        arguments: [
            (.tampered, .misconfigured), (.otherKey, .misconfigured), (.unsigned, .misconfigured),
            (.twice, .unavailable), (.gbk, .unavailable),
        ] as [(SimulatedAlipayMood, SignInError.Code)]
    )
    func forged(_ mood: SimulatedAlipayMood, _ expected: SignInError.Code) async throws {
        try await SignInStore.run { store in
            store.alipay.be(mood, at: Self.token)
            let failure = await store.failure(store.alipay.signIn(Self.wang), with: .alipay)
            #expect(failure?.code == expected)
            #expect(failure?.field == (expected == .misconfigured ? "alipayPublicKey" : nil))
            // A profile that Alipay did not sign is dropped.
            store.alipay.be(mood, at: Self.profile)
            let identity = try await store.exchange(store.alipay.signIn(Self.wang), with: .alipay)
            #expect(identity.profile == ProviderProfile())
        }
    }

    @Test("the signature may stand before the response")
    func signFirst() async throws {
        try await SignInStore.run { store in
            store.alipay.be(.signFirst, at: Self.token)
            store.alipay.be(.signFirst, at: Self.profile)
            let identity = try await store.exchange(store.alipay.signIn(Self.wang), with: .alipay)
            #expect(identity.profile.nickname == Self.wang.nickname)
        }
    }

    @Test(
        "Alipay's codes say what to tell the customer, and what staff must mend; signed or not",
        arguments: [
            ("40002", "isv.code-invalid", .invalidCode, "code"), ("40002", "isv.code-is-old", .invalidCode, "code"),
            ("40002", "isv.invalid-signature", .misconfigured, "appPrivateKey"),
            ("40002", "isv.invalid-app-id", .misconfigured, "identifier"),
            ("40002", "isv.invalid-timestamp", .misconfigured, nil),
            ("40001", "isv.missing-method", .misconfigured, nil),
            ("40003", "isv.user-limited", .denied, nil),
            ("40006", "isv.insufficient-isv-permissions", .misconfigured, nil),
            ("40005", "isv.app-call-limited", .unavailable, nil), ("40004", "ACQ.SOMETHING", .unavailable, nil),
            ("20001", "aop.auth-token-time-out", .invalidCode, "code"), ("77777", "new", .unavailable, nil),
        ] as [(String, String, SignInError.Code, String?)],
        [true, false]
    )
    func refusals(
        _ refusal: (code: String, subCode: String, expected: SignInError.Code, field: String?),
        _ signed: Bool
    ) async throws {
        try await SignInStore.run { store in
            let code = store.alipay.signIn(Self.wang)
            store.alipay.be(.refusal(code: refusal.code, subCode: refusal.subCode, signed: signed), at: Self.token)
            let failure = await store.failure(code, with: .alipay)
            #expect(failure?.code == refusal.expected)
            #expect(failure?.field == refusal.field)
            #expect(failure?.providerCode == refusal.subCode)
            #expect(failure?.retryAfter == (refusal.code == "40005" ? .seconds(10) : nil))
            #expect(store.alipay.asked == [Self.token])
            let text = failure.map { "\($0)" } ?? ""
            #expect(!text.contains(code) && !text.contains("授权码"))
        }
    }

    @Test("a busy Alipay is asked twice more; a token that is over is refreshed once")
    func again() async throws {
        try await SignInStore.run { store in
            store.alipay.be(
                .refusal(code: "20000", subCode: "isp.unknow-error", signed: true),
                at: Self.token,
                times: 2
            )
            #expect(await store.failure(store.alipay.signIn(Self.wang), with: .alipay) == nil)
            #expect(store.alipay.asked.filter { $0 == Self.token }.count == 3)
            store.alipay.be(
                .refusal(code: "20001", subCode: "aop.auth-token-time-out", signed: true),
                at: Self.profile
            )
            let identity = try await store.exchange(store.alipay.signIn(Self.wang), with: .alipay)
            #expect(identity.profile.nickname == Self.wang.nickname)
            #expect(store.alipay.asked.suffix(4) == [Self.token, Self.profile, Self.token, Self.profile])
        }
    }

    @Test(
        "who they are stands where the token that is over cannot be refreshed just now; one that was withdrawn is refused"
    )
    func unrefreshed() async throws {
        try await SignInStore.run { store in
            let isOver = SimulatedAlipayMood.refusal(code: "20001", subCode: "aop.auth-token-time-out", signed: true)
            let isBusy = SimulatedAlipayMood.refusal(code: "20000", subCode: "isp.unknow-error", signed: true)
            store.alipay.be(isOver, at: Self.profile)
            store.alipay.be(isBusy, at: Self.token, grantType: "refresh_token", times: 3)
            let identity = try await store.exchange(store.alipay.signIn(Self.wang), with: .alipay)
            #expect(identity.subject == Self.wang.openID)
            #expect(identity.profile == ProviderProfile())
            #expect(store.alipay.asked.filter { $0 == Self.token }.count == 4)
            let isWithdrawn = SimulatedAlipayMood.refusal(
                code: "40002",
                subCode: "isv.refresh-token-invalid",
                signed: true
            )
            store.alipay.be(isOver, at: Self.profile)
            store.alipay.be(isWithdrawn, at: Self.token, grantType: "refresh_token")
            #expect(await store.failure(store.alipay.signIn(Self.wang), with: .alipay)?.code == .invalidCode)
        }
    }

    @Test("where no answer came the code may be used up, so it is not shown again")
    func down() async throws {
        let silence = try await SignInStore.silence(at: "/gateway.do", of: .alipay) { $0.alipay.signIn(Self.wang) }
        #expect(silence.failure?.code == .unavailable && silence.asked == 1)
        try await SignInStore.run { store in
            let faults: [SimulatedFault.Kind] = [.hangUpAfterEffect, .cutAfterEffect, .status(502), .malformed]
            for (index, fault) in faults.enumerated() { await fail(store, fault, asked: index + 1) }
            await store.server.stop()
            #expect(await store.failure(store.alipay.signIn(Self.wang), with: .alipay)?.code == .unavailable)
        }
    }

    /// Signs in with a fault: the error says that Alipay is away, after that many requests.
    private func fail(_ store: SignInStore, _ fault: SimulatedFault.Kind, asked: Int) async {
        store.server.fail(SimulatedFault(fault, onPath: "/gateway.do"))
        let failure = await store.failure(store.alipay.signIn(Self.wang), with: .alipay)
        #expect(failure?.code == .unavailable, "\(fault)")
        #expect(store.asked("/gateway.do") == asked, "\(fault)")
    }

    @Test("another key or APPID than Alipay has is said to be our setting, and so is a clock that is wrong")
    func otherSettings() async throws {
        try await SignInStore.run { store in
            func failure(_ change: (inout StoreAccount) throws -> Void) async throws -> SignInError? {
                var account = try #require(store.accounts[.alipay])
                try change(&account)
                let provider = try store.gateways.signIn(with: .alipay, of: [.alipay: account])
                let code = SignInCredential(code: Secret(store.alipay.signIn(Self.wang)))
                return await #expect(throws: SignInError.self) {
                    try await provider.exchange(code, at: store.clock.now)
                }
            }
            let otherKey = try await failure {
                let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
                $0.secrets[AlipaySetting.privateKey] = Secret(key.pemRepresentation)
            }
            #expect(otherKey?.code == .misconfigured)
            #expect(otherKey?.field == "appPrivateKey")
            let otherID = try await failure { $0.identifier = "2021000000000002" }
            #expect(otherID?.code == .misconfigured)
            #expect(otherID?.field == "identifier")
            let code = SignInCredential(code: Secret(store.alipay.signIn(Self.wang)))
            let provider = try store.gateways.signIn(with: .alipay, of: store.accounts)
            let late = await #expect(throws: SignInError.self) {
                try await provider.exchange(code, at: store.clock.now + 601)
            }
            #expect(late?.providerCode == "isv.invalid-timestamp")
        }
    }
}
