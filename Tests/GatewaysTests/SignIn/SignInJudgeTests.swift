import Billing
import CryptoExtras
import Foundation
import StoreSimulator
import Testing

@testable import Gateways

/// Checks wechatpy and python-alipay-sdk against ours, so that our clients and our simulator are not judged by each other alone.
@Suite("Others' clients sign in at the simulated stores", .enabled(if: Judge.isAvailable || Judge.isRequired))
struct SignInJudgeTests {
    @Test("wechatpy gets through every call, and sees every refusal")
    func wechat() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        try await SignInStore.run(at: Date()) { store in
            let lin = SimulatedWeChatAccount(
                openID: "openid-lin",
                unionID: "unionid-lin",
                nickname: "林 🌸",
                avatarURL: "https://thirdwx.qlogo.cn/mmopen/0"
            )
            let known: JSON = [
                "url": .string(store.server.url()), "appId": .string(SignInStore.wechatID),
                "appSecret": .string(SignInStore.appSecret), "code": .string(store.wechat.signIn(lin)),
                "openid": "openid-lin", "unionid": "unionid-lin", "nickname": "林 🌸",
                "headimgurl": "https://thirdwx.qlogo.cn/mmopen/0",
            ]
            try judge.write(known.bytes, to: "wechat.json")
            let verdict = try await judge.runAside("wechat_sign_in.py")
            #expect(verdict.status == 0, "\(verdict.output)")
            #expect(verdict.output.hasSuffix("19 passed, 0 failed\n"), "\(verdict.output)")
        }
    }

    @Test("python-alipay-sdk signs as ours does, and believes and disbelieves the simulated Alipay as ours does")
    func alipay() async throws {
        let judge = try Judge()
        defer { judge.removeFolder() }
        try await SignInStore.run(at: Date()) { store in
            let wang = SimulatedAlipayAccount(
                openID: "open-wang",
                nickname: "王小明",
                avatarURL: "https://tfs.alipayobjects.com/images/a"
            )
            let used = store.alipay.signIn(wang)
            _ = try await store.exchange(used, with: .alipay)
            let known: JSON = [
                "url": .string(store.server.url()), "appId": .string(SignInStore.alipayID),
                "code": .string(store.alipay.signIn(wang)), "usedCode": .string(used),
                "tamperedCode": .string(store.alipay.signIn(wang)), "openId": "open-wang", "nickname": "王小明",
                "avatar": "https://tfs.alipayobjects.com/images/a",
            ]
            let appKey = try SignInStore.appKey.get()
            try judge.write(known.bytes, to: "alipay.json")
            try judge.write(Array(appKey.pkcs8PEMRepresentation.utf8), to: "app_private.pem")
            try judge.write(Array(appKey.publicKey.pemRepresentation.utf8), to: "app_public.pem")
            let alipays = try SignInStore.alipayKey.get().publicKey.pemRepresentation
            try judge.write(Array(alipays.utf8), to: "alipay_public.pem")
            let account = try #require(store.accounts[.alipay])
            let app = try #require(try AlipayConfiguration(account))
            let requests = try [
                AlipayRequest(
                    AlipayEndpoint.exchange.method,
                    [("grant_type", "authorization_code"), ("code", "a+b/c=d&e %25 é 码"), ("empty", "")],
                    for: app,
                    at: Date()
                ),
                AlipayRequest(AlipayEndpoint.userInfo.method, [("auth_token", "t")], for: app, at: Date()),
            ]
            try judge.write(requests.flatMap { Self.line($0).bytes + [0x0A] }, to: "requests.jsonl")
            store.alipay.be(.tampered, at: AlipayEndpoint.exchange.method)
            let verdict = try await judge.runAside("alipay_sign_in.py")
            #expect(verdict.status == 0, "\(verdict.output)")
            #expect(verdict.output.hasSuffix("15 passed, 0 failed\n"), "\(verdict.output)")
        }
    }

    private static func line(_ request: AlipayRequest) -> JSON {
        let parameters = request.common.filter { $0.0 != "sign" } + request.own
        return [
            "parameters": .object(parameters.map { JSON.Member(name: $0.0, value: .string($0.1)) }),
            "sign": .string(request.common.first { $0.0 == "sign" }?.1 ?? ""),
        ]
    }
}
