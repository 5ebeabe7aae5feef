import Billing
import Foundation
import Gateways
import HTTPTypes
import Operations
import Postgres
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("Sign-in of customers (lightgallery)") struct CustomerSignInTests {
    private static let path = "/api/v1/auth/oauth/exchange"

    @Test("a sign-in answers tokens and the customer, to the field")
    func fields() async throws {
        try await run { calls in
            let answer = try await exchange(calls, #"{"provider":"wechat","code":"mei#1"}"#)
            #expect(answer.status == .ok)
            let object = try answer.object()
            #expect(
                Set(object.keys) == [
                    "accessToken", "refreshToken", "expiresAt", "expiresIn", "tokenType", "userId", "isNewUser", "user",
                ]
            )
            #expect((object["tokenType"] as? String, object["expiresIn"] as? Int) == ("Bearer", 86_400))
            #expect(object["isNewUser"] as? Bool == true)
            let user = try #require(object["user"] as? [String: Any])
            #expect(
                Set(user.keys) == [
                    "id", "displayName", "email", "avatarURL", "authProvider", "linkedProviders", "createdAt",
                    "lastLoginAt",
                ]
            )
            #expect(user["id"] as? String == object["userId"] as? String)
            #expect(user["displayName"] as? String == "Name of mei")
            #expect(user["authProvider"] as? String == "wechat")
            let token = try #require(object["accessToken"] as? String)
            let profile = try await calls.ask(.get, "/api/v1/user/profile", token: token)
            #expect(profile.status == .ok)
            #expect(try profile.object() as NSDictionary == user as NSDictionary)
        }
    }

    @Test("each refusal has the document's code, and its wording in the caller's language")
    func wordings() async throws {
        try await run { calls in
            _ = try await exchange(calls, #"{"provider":"wechat","code":"mei#1"}"#)
            let cases: [(String, HTTPResponse.Status, String, String)] = [
                ("invalid", .unauthorized, "oauthFailed", "登录失败：微信 - 授权无效或已过期"),
                ("mei#1", .unauthorized, "oauthFailed", "登录失败：微信 - 授权已被使用"),
                ("denied", .unauthorized, "oauthFailed", "登录失败：微信 - 授权被拒绝"),
                ("away", .serviceUnavailable, "networkError", "网络连接失败，请检查网络设置"),
            ]
            for (code, status, name, message) in cases {
                let answer = try await exchange(calls, #"{"provider":"wechat","code":"\#(code)"}"#, language: "zh-CN")
                #expect(answer.status == status)
                #expect(try answer.object()["code"] as? String == name)
                #expect(try answer.object()["message"] as? String == message)
            }
            let none = try await exchange(calls, #"{"provider":"alipay","code":"mei#1"}"#, language: "en")
            #expect(none.status == .conflict)
            #expect(try none.fields() == ["provider"])
            #expect(try none.object()["message"] as? String == "Sign-in failed: Alipay - this app does not offer it")
            let taken = try await exchange(
                calls,
                #"{"provider":"wechat","code":"mei#2"}"#,
                token: try await calls.nobody(),
                language: "zh-CN"
            )
            #expect(taken.status == .conflict)
            #expect(try taken.object()["code"] as? String == "identityTaken")
            #expect(try taken.object()["message"] as? String == "该微信账号已绑定其他用户")
        }
    }

    @Test("an access token that is over and one that is none are told apart, in the document's words")
    func tokens() async throws {
        try await run { calls in
            let token = try await calls.nobody()
            let invalid = try await calls.ask(.get, "/api/v1/user/profile", token: token + "x", language: "zh-CN")
            #expect(try invalid.object()["code"] as? String == "tokenInvalid")
            #expect(try invalid.object()["message"] as? String == "登录信息无效，请重新登录")
            calls.site.clock.advance(by: AccessTokens.lifetime)
            let expired = try await calls.ask(.get, "/api/v1/user/profile", token: token, language: "zh-CN")
            #expect(expired.status == .unauthorized)
            #expect(try expired.object()["code"] as? String == "tokenExpired")
            #expect(try expired.object()["message"] as? String == "登录已过期，请重新登录")
            // A bad token is not ignored: a caller who sends one means it.
            let signIn = try await exchange(calls, #"{"provider":"wechat","code":"mei#1"}"#, token: token)
            #expect(signIn.status == .unauthorized)
        }
    }

    @Test(
        "a field that is none is refused by its name, and makes nobody",
        arguments: [
            ("{}", ["code", "provider"]), (#"{"provider":"","code":"a"}"#, ["provider"]),
            (#"{"provider":"google","code":"a"}"#, ["provider"]), (#"{"provider":1.5}"#, ["provider"]),
            (#"{"provider":"wechat"}"#, ["code"]), (#"{"provider":"wechat","code":""}"#, ["code"]),
            (#"{"provider":"wechat","code":10000000000000000000}"#, ["code"]),
            (#"{"provider":"wechat","code":"a\u0000"}"#, ["code"]),
            ("{\"provider\":\"wechat\",\"code\":\"\(String(repeating: "a", count: 100_000))\"}", ["code"]),
            (#"{"provider":"wechat","code":"a","identityToken":"b"}"#, ["identityToken"]),
            (#"{"provider":"apple","code":"a","nonce":""}"#, ["nonce"]),
            (#"{"provider":"apple","code":"a","displayName":"a\nb"}"#, ["displayName"]),
        ] as [(String, [String])]
    )
    func refused(body: String, fields: [String]) async throws {
        try await run { calls in
            let before = try await calls.site.count("customers")
            let answer = try await exchange(calls, body)
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.fields().sorted() == fields)
            #expect(try await calls.site.count("customers") == before)
        }
    }

    @Test("the profile is replaced whole; what breaks a rule is refused by its field and changes nothing")
    func profile() async throws {
        try await run { calls in
            let token = try await calls.nobody()
            let path = "/api/v1/user/profile"
            let avatar = "https://example.com/a.png"
            let body = #"{"id":"x","displayName":"美","email":"mei@example.com","avatarURL":"\#(avatar)"}"#
            let set = try await calls.ask(.put, path, token: token, body: body)
            #expect(set.status == .ok)
            #expect(try set.object()["email"] as? String == "mei@example.com")
            #expect(try set.object()["authProvider"] is NSNull)
            for (bad, field) in [
                ("{}", "displayName"), (#"{"displayName":"Ada","email":"ada"}"#, "email"),
                (#"{"displayName":"Ada","avatarURL":"javascript:1"}"#, "avatarURL"),
                (#"{"displayName":1.5}"#, "displayName"),
            ] {
                let answer = try await calls.ask(.put, path, token: token, body: bad)
                #expect(answer.status == .unprocessableContent)
                #expect(try answer.fields() == [field])
            }
            let kept = try await calls.ask(.get, path, token: token).object()
            #expect(kept["displayName"] as? String == "美")
            let cleared = try await calls.ask(.put, path, token: token, body: #"{"displayName":"Ada"}"#).object()
            #expect(cleared["email"] is NSNull)
        }
    }

    @Test("deleting the account ends its tokens at once, and may be sent again; other tokens do nothing of the kind")
    func deletion() async throws {
        try await run { calls in
            let signedIn = try await exchange(calls, #"{"provider":"wechat","code":"mei#1"}"#).object()
            let token = try #require(signedIn["accessToken"] as? String)
            for _ in 0..<2 {
                #expect(try await calls.ask(.delete, "/api/v1/auth/account", token: token).status == .noContent)
            }
            for path in ["/api/v1/user/profile", "/entitlements", "/subscriptions/status"] {
                #expect(try await calls.ask(.get, path, token: token).status == .unauthorized)
            }
            #expect(try await calls.ask(.delete, "/api/v1/auth/account").status == .unauthorized)
            #expect(try await calls.ask(.delete, "/api/v1/auth/account", token: token + "x").status == .unauthorized)
            let out = try await calls.nobody()
            _ = try await calls.ask(.post, "/api/v1/auth/logout", token: out)
            #expect(try await calls.ask(.delete, "/api/v1/auth/account", token: out).status == .unauthorized)
            let again = try await exchange(calls, #"{"provider":"wechat","code":"mei#2"}"#).object()
            #expect(again["isNewUser"] as? Bool == true)
            #expect(again["userId"] as? String != signedIn["userId"] as? String)
        }
    }

    private func exchange(
        _ calls: CustomerCalls,
        _ body: String,
        token: String? = nil,
        language: String? = nil
    ) async throws -> CustomerCalls.Answer {
        try await calls.ask(
            .post,
            Self.path,
            token: token,
            app: token == nil ? "readmigo" : nil,
            language: language,
            body: body
        )
    }

    /// Runs a test on a site whose app signs people in at Apple and WeChat.
    private func run(_ body: @Sendable (CustomerCalls) async throws -> Void) async throws {
        let gateways = StoreGateways(AuthProvider.allCases.map(ScriptedProvider.init))
        try await TestSite.run(gateways: gateways) { site in
            for store in ["apple", "wechat"] {
                _ = try await site.pool.query(
                    """
                    INSERT INTO store_accounts (app_id, store, identifier, environment)
                    VALUES (\(TestSite.readmigoID), \(store), 'id', 'store')
                    """
                )
            }
            try await body(CustomerCalls(site: site))
        }
    }
}
