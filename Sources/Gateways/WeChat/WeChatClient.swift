import Billing
import Foundation

/// Asks WeChat's OAuth API about one app: all questions are GET, and the app's secret stands in the query, so no address is
/// ever logged (payments.md, 1A). Answers come with HTTP 200 also where they are refusals.
struct WeChatClient: Sendable {
    let app: WeChatConfiguration
    let connection: ProviderConnection

    /// Changes a code, which is good once, for a token.
    func token(forCode code: String, at now: Date) async throws(SignInError) -> WeChatToken {
        let fields = [
            ("appid", app.appID), ("secret", app.appSecret.revealed), ("code", code),
            ("grant_type", "authorization_code"),
        ]
        return try await ask("/sns/oauth2/access_token", fields, of: .exchange, at: now) {
            json throws(GatewayError) in try WeChatToken(json)
        }
    }

    /// Gives a token more time, or gives another in its place.
    func token(refreshing token: WeChatToken, at now: Date) async throws(SignInError) -> WeChatToken {
        guard let refreshToken = token.refreshToken else {
            throw SignInError(.invalidCode, "WeChat's token is over, and there is none to refresh it.", field: "code")
        }
        let fields = [
            ("appid", app.appID), ("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed),
        ]
        return try await ask("/sns/oauth2/refresh_token", fields, of: .refresh, at: now) {
            json throws(GatewayError) in try WeChatToken(json)
        }
    }

    func userInfo(of token: WeChatToken, at now: Date) async throws(SignInError) -> WeChatUserInfo {
        let fields = [("access_token", token.accessToken.revealed), ("openid", token.openID), ("lang", "zh_CN")]
        return try await ask("/sns/userinfo", fields, of: .userInfo, at: now) {
            json throws(GatewayError) in try WeChatUserInfo(json)
        }
    }

    private func ask<Content: Sendable>(
        _ path: String,
        _ fields: [(String, String)],
        of endpoint: WeChatEndpoint,
        at now: Date,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(SignInError) -> Content {
        let url = "\(app.address)\(path)?\(FormFields.encode(fields))"
        return try await connection.ask(isRepeatable: endpoint != .exchange, at: now) {
            // WeChat writes text/plain.
            StoreRequest("GET", url, headers: ["Accept": "application/json, text/plain"], asker: app.appID)
        } read: { body throws(SignInFailure) in
            let json: JSON
            let code: Int64
            do {
                json = try JSON(parsing: body)
                code = try JSONFields(json, of: "answer").integer("errcode") ?? 0
            } catch {
                throw connection.unreadable(error)
            }
            guard code == 0 else { throw endpoint.failure(code) }
            do {
                return try read(json)
            } catch {
                throw connection.unreadable(error)
            }
        }
    }
}

/// WeChat's tokens for a code.
struct WeChatToken: Hashable, Sendable {
    let accessToken: Secret
    let refreshToken: Secret?
    let openID: String
    /// Only if the app is bound to an account of the Open Platform.
    let unionID: String?
    let scopes: Set<String>

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        guard let openID = ProviderText.subject(try fields.string("openid")) else {
            throw GatewayError(.missing, "The answer does not say who signed in.", field: "openid")
        }
        self.openID = openID
        accessToken = Secret(try fields.required("access_token"))
        refreshToken = try fields.string("refresh_token").map { Secret($0) }
        unionID = ProviderText.subject(try fields.string("unionid"))
        scopes = Set((try fields.string("scope") ?? "").split(separator: ",").map(String.init))
    }

    /// True if WeChat returns more than the openid: `snsapi_base` needs no consent and returns no more.
    var tellsProfile: Bool { !scopes.isDisjoint(with: ["snsapi_userinfo", "snsapi_login"]) }
}

/// A person's profile at WeChat.
struct WeChatUserInfo: Sendable {
    let openID: String
    let unionID: String?
    let profile: ProviderProfile

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "answer")
        guard let openID = ProviderText.subject(try fields.string("openid")) else {
            throw GatewayError(.missing, "The answer does not say whom it is about.", field: "openid")
        }
        self.openID = openID
        unionID = ProviderText.subject(try fields.string("unionid"))
        profile = ProviderProfile(
            nickname: ProviderText.nickname(try fields.string("nickname")),
            avatarURL: ProviderText.avatar(try fields.string("headimgurl"))
        )
    }
}
