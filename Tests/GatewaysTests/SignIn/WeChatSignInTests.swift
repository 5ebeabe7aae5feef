import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("Signing in with WeChat") struct WeChatSignInTests {
    private static let exchange = "/sns/oauth2/access_token"
    private static let profile = "/sns/userinfo"
    private static let lin = SimulatedWeChatAccount(
        openID: "o6_bmjrPTlm6_2sgVt7hMZOPfL2M",
        unionID: "o6_bmasdasdsad6_2sgVt7hMZOPfL",
        nickname: "林 🌸\u{7}",
        avatarURL: "https://thirdwx.qlogo.cn/mmopen/g3Mon/0"
    )

    @Test("a code becomes the unionid with the openid beside it, and the profile")
    func exchanged() async throws {
        try await SignInStore.run { store in
            let identity = try await store.exchange(store.wechat.signIn(Self.lin), with: .wechat)
            #expect(identity.provider == .wechat)
            #expect(identity.subject == Self.lin.unionID)
            #expect(identity.otherSubjects == [Self.lin.openID])
            #expect(identity.clientID == SignInStore.wechatID)
            #expect(identity.refreshToken == nil)
            #expect(identity.profile.nickname == "林 🌸")
            #expect(identity.profile.avatarURL == Self.lin.avatarURL)
            #expect(identity.profile.email == nil)
            #expect(!"\(identity)".contains("林"))
            #expect(!String(reflecting: identity.profile).contains("qlogo"))
        }
    }

    @Test("without a unionid the openid names them; a silent authorization is not asked for a profile")
    func openIDAlone() async throws {
        try await SignInStore.run { store in
            let alone = SimulatedWeChatAccount(openID: Self.lin.openID, nickname: "林", avatarURL: "javascript:alert(1)")
            let identity = try await store.exchange(store.wechat.signIn(alone), with: .wechat)
            #expect(identity.subject == Self.lin.openID)
            #expect(identity.otherSubjects == [])
            #expect(identity.profile == ProviderProfile(nickname: "林"))
            #expect(store.asked(Self.profile) == 1)
            let silent = try await store.exchange(store.wechat.signIn(Self.lin, scope: "snsapi_base"), with: .wechat)
            #expect(silent.subject == Self.lin.openID)
            #expect(silent.profile == ProviderProfile())
            #expect(store.asked(Self.profile) == 1)
        }
    }

    @Test("a code is good once and for five minutes, and what is no code is not shown to WeChat")
    func codes() async throws {
        try await SignInStore.run { store in
            let code = store.wechat.signIn(Self.lin)
            #expect(await store.failure(code, with: .wechat) == nil)
            #expect(await store.failure(code, with: .wechat)?.code == .usedCode)
            #expect(await store.failure("neverGivenOut", with: .wechat)?.code == .invalidCode)
            let old = store.wechat.signIn(Self.lin)
            store.clock.advance(by: 301)
            #expect(await store.failure(old, with: .wechat)?.code == .invalidCode)
            let before = store.asked(Self.exchange)
            for text in ["", " ", "a b", "a\0b", "码", String(repeating: "a", count: 100_000)] {
                let failure = await store.failure(text, with: .wechat)
                #expect(failure?.code == .invalidCode)
                #expect(failure?.field == "code")
            }
            #expect(await store.failure("authdeny", with: .wechat)?.code == .denied)
            #expect(store.asked(Self.exchange) == before)
        }
    }

    @Test(
        "WeChat's numbers say what to tell the customer, and what staff must mend",
        arguments: [
            (40_029, .invalidCode, "code"), (40_163, .usedCode, "code"), (41_008, .invalidCode, "code"),
            (42_002, .invalidCode, "code"), (40_226, .denied, nil), (40_001, .misconfigured, "appSecret"),
            (40_125, .misconfigured, "appSecret"), (40_013, .misconfigured, "identifier"),
            (48_001, .misconfigured, nil), (45_011, .unavailable, nil), (99_999, .unavailable, nil),
            (.min, .unavailable, nil),
        ] as [(Int64, SignInError.Code, String?)]
    )
    func refusals(_ errcode: Int64, _ expected: SignInError.Code, _ field: String?) async throws {
        try await SignInStore.run { store in
            let code = store.wechat.signIn(Self.lin)
            store.wechat.refuse(with: errcode, at: Self.exchange)
            let failure = await store.failure(code, with: .wechat)
            #expect(failure?.code == expected)
            #expect(failure?.field == field)
            #expect(failure?.providerCode == String(errcode))
            #expect(failure?.retryAfter == (errcode == 45_011 ? .seconds(60) : nil))
            #expect(store.asked(Self.exchange) == 1)
            let text = failure.map { "\($0)" } ?? ""
            #expect(!text.contains(code) && !text.contains(SignInStore.appSecret) && !text.contains("rid:"))
        }
    }

    @Test("a busy WeChat is asked twice more, and no oftener")
    func busy() async throws {
        try await SignInStore.run { store in
            store.wechat.refuse(with: -1, at: Self.exchange, times: 2)
            #expect(await store.failure(store.wechat.signIn(Self.lin), with: .wechat) == nil)
            #expect(store.asked(Self.exchange) == 3)
            store.wechat.refuse(with: -1, at: Self.exchange, times: 3)
            #expect(await store.failure(store.wechat.signIn(Self.lin), with: .wechat)?.code == .unavailable)
            #expect(store.asked(Self.exchange) == 6)
        }
    }

    @Test("where no answer came the code may be used up, so it is not shown again; nothing of it is said")
    func down() async throws {
        let silence = try await SignInStore.silence(at: Self.exchange, of: .wechat) { $0.wechat.signIn(Self.lin) }
        #expect(silence.failure?.code == .unavailable && silence.asked == 1)
        try await SignInStore.run { store in
            let faults: [SimulatedFault.Kind] = [.hangUpAfterEffect, .cutAfterEffect, .status(500), .status(404)]
            for (index, fault) in faults.enumerated() { await fail(store, fault, asked: index + 1) }
            store.server.fail(SimulatedFault(.tooManyRequests(retryAfter: .seconds(30)), onPath: Self.exchange))
            let failure = await store.failure(store.wechat.signIn(Self.lin), with: .wechat)
            #expect(failure?.code == .unavailable)
            #expect(failure?.retryAfter == .seconds(30))
            await store.server.stop()
            let code = store.wechat.signIn(Self.lin)
            let unreached = await store.failure(code, with: .wechat)
            #expect(unreached?.code == .unavailable)
            let text = unreached.map { "\($0)" } ?? ""
            #expect(!text.contains(code) && !text.contains(SignInStore.appSecret), "\(text)")
        }
    }

    /// Signs in with a fault: the error says that WeChat is away, after that many requests, and repeats nothing that was sent.
    private func fail(_ store: SignInStore, _ fault: SimulatedFault.Kind, asked: Int) async {
        let code = store.wechat.signIn(Self.lin)
        store.server.fail(SimulatedFault(fault, onPath: Self.exchange))
        let failure = await store.failure(code, with: .wechat)
        #expect(failure?.code == .unavailable, "\(fault)")
        #expect(store.asked(Self.exchange) == asked, "\(fault)")
        let text = failure.map { "\($0)" } ?? ""
        #expect(!text.contains(code) && !text.contains(SignInStore.appSecret), "\(text)")
    }

    @Test("a profile that does not come is no reason to send somebody back: the code is used up")
    func noProfile() async throws {
        try await SignInStore.run { store in
            store.server.fail(SimulatedFault(.status(503), onPath: Self.profile, times: 3))
            let identity = try await store.exchange(store.wechat.signIn(Self.lin), with: .wechat)
            #expect(identity.subject == Self.lin.unionID)
            #expect(identity.profile == ProviderProfile())
            #expect(store.asked(Self.profile) == 3)
            store.wechat.refuse(with: 48_001, at: Self.profile)
            #expect(try await store.exchange(store.wechat.signIn(Self.lin), with: .wechat).profile == ProviderProfile())
        }
    }

    @Test("who they are stands where the token that is over cannot be refreshed just now, or its profile does not come")
    func unrefreshed() async throws {
        let faults: [(path: String, fault: SimulatedFault.Kind)] = [
            ("/sns/oauth2/refresh_token", .hangUpAfterEffect), ("/sns/oauth2/refresh_token", .status(502)),
            ("/sns/oauth2/refresh_token", .malformed),
        ]
        try await SignInStore.run { store in
            for (path, fault) in faults {
                store.wechat.refuse(with: 42_001, at: Self.profile)
                store.server.fail(SimulatedFault(fault, onPath: path, times: fault == .malformed ? 1 : 3))
                let identity = try await store.exchange(store.wechat.signIn(Self.lin), with: .wechat)
                #expect(identity.subject == Self.lin.unionID, "\(fault)")
                #expect(identity.profile == ProviderProfile(), "\(fault)")
            }
            store.wechat.refuse(with: 42_001, at: Self.profile)
            store.wechat.refuse(with: -1, at: Self.profile, times: 3)
            let identity = try await store.exchange(store.wechat.signIn(Self.lin), with: .wechat)
            #expect(identity.subject == Self.lin.unionID)
            #expect(identity.profile == ProviderProfile())
            #expect(store.asked("/sns/oauth2/refresh_token") == 8)
        }
    }

    @Test("a token that is over is refreshed once; one that WeChat has withdrawn signs nobody in")
    func refreshed() async throws {
        try await SignInStore.run { store in
            store.wechat.refuse(with: 42_001, at: Self.profile)
            let identity = try await store.exchange(store.wechat.signIn(Self.lin), with: .wechat)
            #expect(identity.profile.nickname == "林 🌸")
            #expect(store.asked("/sns/oauth2/refresh_token") == 1)
            store.wechat.refuse(with: 40_001, at: Self.profile, times: 2)
            #expect(await store.failure(store.wechat.signIn(Self.lin), with: .wechat)?.code == .invalidCode)
            store.wechat.refuse(with: 40_014, at: Self.profile)
            store.wechat.refuse(with: 42_002, at: "/sns/oauth2/refresh_token")
            #expect(await store.failure(store.wechat.signIn(Self.lin), with: .wechat)?.code == .invalidCode)
        }
    }

    @Test(
        "answers that are not WeChat's sign nobody in",
        arguments: [
            "", "<html>", "{}", "[]", "null", #"{"access_token":"a","openid":""}"#, #"{"access_token":1,"openid":"o"}"#,
            #"{"openid":"o"}"#, #"{"errcode":"40029"}"#, #"{"access_token":"a","openid":"o p"}"#,
            #"{"access_token":"a","openid":"\#(String(repeating: "o", count: 256))"}"#,
            #"{"access_token":"a","openid":"\#(String(repeating: "o", count: 100_000))"}"#,
            String(repeating: "[", count: 60_000), String(repeating: " ", count: 3_000_000),
        ]
    )
    func junk(_ body: String) async throws {
        let endpoint = SimulatedEndpoint("GET", Self.exchange) { _ in
            StoreResponse(status: 200, body: Data(body.utf8))
        }
        let server = SimulatedAppleServer(authority: try TestAuthority(), endpoints: [endpoint])
        try await server.start()
        let account = StoreAccount(
            store: .wechat,
            identifier: SignInStore.wechatID,
            isSimulated: true,
            settings: [WeChatSetting.address: server.url()],
            secrets: [WeChatSetting.appSecret: Secret(SignInStore.appSecret)]
        )
        let provider = try #require(try WeChatGateway().signIn(of: account))
        let failure = await #expect(throws: SignInError.self) {
            _ = try await provider.exchange(SignInCredential(code: Secret("c")), at: SignInStore.start)
        }
        #expect(failure?.code == .unavailable)
        await server.stop()
    }

    @Test("what is no AppID, no AppSecret and no address is refused by its field")
    func settings() throws {
        let gateway = WeChatGateway()
        let account = StoreAccount(
            store: .wechat,
            identifier: SignInStore.wechatID,
            isSimulated: false,
            secrets: [WeChatSetting.appSecret: Secret(SignInStore.appSecret)]
        )
        try gateway.check(account)
        func field(_ change: (inout StoreAccount) -> Void) -> String? {
            var changed = account
            change(&changed)
            let wrong = changed
            return #expect(throws: GatewayError.self) { try gateway.check(wrong) }?.field
        }
        for text in ["", "1.5", "wx", "\0", "9223372036854775808", String(repeating: "a", count: 100_000)] {
            #expect(field { $0.identifier = text } == "identifier")
            #expect(field { $0.secrets[WeChatSetting.appSecret] = Secret(text) } == "secrets.appSecret")
            let key = StoreKey(kind: .signIn, secrets: [WeChatSetting.appSecret: Secret(text)])
            #expect(#expect(throws: GatewayError.self) { try gateway.check(key) }?.field == "appSecret")
        }
        #expect(field { $0.settings[WeChatSetting.address] = "http://api.weixin.qq.com" } == "settings.address")
        #expect(field { $0.isSimulated = true } == "settings.address")
        let keyless = StoreAccount(store: .wechat, identifier: SignInStore.wechatID, isSimulated: true)
        try gateway.check(keyless)
        #expect(try gateway.signIn(of: keyless) == nil)
        for accounts in [[:], [Store.wechat: keyless]] {
            let failure = #expect(throws: SignInError.self) {
                _ = try StoreGateways.shipped.signIn(with: .wechat, of: accounts)
            }
            #expect(failure?.code == .notConfigured)
        }
    }
}
