package import Foundation
import Gateways
import Synchronization

/// Plays WeChat's OAuth API: tokens for codes, refreshed tokens, profiles.
///
/// Like WeChat, it answers 200 with `text/plain` to everything, checks app and secret, and takes a code once.
package final class SimulatedWeChat: Sendable {
    private let appID: String
    private let appSecret: String
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    package init(appID: String, appSecret: String, now: @escaping @Sendable () -> Date = { Date() }) {
        self.appID = appID
        self.appSecret = appSecret
        self.now = now
    }

    /// The endpoints of the simulated store.
    package var endpoints: [SimulatedEndpoint] {
        [
            endpoint("/sns/oauth2/access_token") { $0.token(in: $1) },
            endpoint("/sns/oauth2/refresh_token") { $0.refreshed(in: $1) },
            endpoint("/sns/userinfo") { $0.profile(in: $1) },
            endpoint("/sns/auth") { $0.check(in: $1) },
            // Drives it from another process: `{"openid", "unionid", "nickname", "headimgurl", "scope"}`.
            SimulatedEndpoint("POST", "/simulator/wechat/sign-in") { [self] request in signIn(request.body) },
        ]
    }

    /// Returns the code that an app gets when somebody consents; good once, for five minutes.
    ///
    /// - Parameter scope: `snsapi_base` asks the person nothing, and tells the openid alone.
    package func signIn(_ person: SimulatedWeChatAccount, scope: String = "snsapi_userinfo") -> String {
        let code = "0\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let grant = Grant(person: person, scope: scope, end: now().addingTimeInterval(300))
        state.withLock { $0.codes[code] = grant }
        return code
    }

    /// Answers the next requests to a path with one of WeChat's error numbers, before anything is done.
    package func refuse(with errcode: Int64, at path: String, times: Int = 1) {
        state.withLock { $0.refusals += Array(repeating: (path, errcode), count: max(0, times)) }
    }

    /// Expires the access tokens that were given out, but no refresh token.
    package func expireAccessTokens() {
        state.withLock { $0.accessTokens = [:] }
    }

    /// The number of requests to each path.
    package var asked: [String: Int] { state.withLock { $0.asked } }

    private struct Grant {
        var person: SimulatedWeChatAccount
        var scope: String
        var end: Date
    }

    private struct State {
        var codes: [String: Grant] = [:]
        var usedCodes: Set<String> = []
        var accessTokens: [String: Grant] = [:]
        var refreshTokens: [String: Grant] = [:]
        var refusals: [(path: String, errcode: Int64)] = []
        var asked: [String: Int] = [:]
    }

    private func endpoint(
        _ path: String,
        _ answer: @escaping @Sendable (SimulatedWeChat, SimulatedRequest) -> JSON
    ) -> SimulatedEndpoint {
        SimulatedEndpoint("GET", path) { [self] request in
            let refusal: Int64? = state.withLock { state in
                state.asked[path, default: 0] += 1
                guard let index = state.refusals.firstIndex(where: { $0.path == path }) else { return nil }
                return state.refusals.remove(at: index).errcode
            }
            let json = refusal.map { Self.refusal($0) } ?? answer(self, request)
            return StoreResponse(status: 200, headers: ["content-type": "text/plain"], body: Data(json.bytes))
        }
    }

    private func token(in request: SimulatedRequest) -> JSON {
        guard request.first("appid") == appID else { return Self.refusal(40_013) }
        guard request.first("secret") == appSecret else { return Self.refusal(40_125) }
        guard request.first("grant_type") == "authorization_code" else { return Self.refusal(40_002) }
        guard let code = request.first("code"), !code.isEmpty else { return Self.refusal(41_008) }
        let now = now()
        let grant: Grant? = state.withLock { state in
            let grant = state.codes.removeValue(forKey: code)
            if grant != nil { state.usedCodes.insert(code) }
            return grant
        }
        guard let grant else {
            return Self.refusal(state.withLock { $0.usedCodes.contains(code) } ? 40_163 : 40_029)
        }
        guard grant.end > now else { return Self.refusal(40_029) }
        let refreshToken = "r\(UUID().uuidString.lowercased())"
        state.withLock { $0.refreshTokens[refreshToken] = grant }
        var json = answer(of: grant, refreshToken)
        if let unionID = grant.person.unionID, grant.scope != "snsapi_base" { json["unionid"] = .string(unionID) }
        return json
    }

    private func refreshed(in request: SimulatedRequest) -> JSON {
        guard request.first("appid") == appID else { return Self.refusal(40_013) }
        let refreshToken = request.first("refresh_token") ?? ""
        guard let grant = state.withLock({ $0.refreshTokens[refreshToken] }) else { return Self.refusal(40_030) }
        return answer(of: grant, refreshToken)
    }

    private func answer(of grant: Grant, _ refreshToken: String) -> JSON {
        let accessToken = "a\(UUID().uuidString.lowercased())"
        var held = grant
        held.end = now().addingTimeInterval(7_200)
        let stored = held
        state.withLock { $0.accessTokens[accessToken] = stored }
        return [
            "access_token": .string(accessToken), "expires_in": 7_200, "refresh_token": .string(refreshToken),
            "openid": .string(grant.person.openID), "scope": .string(grant.scope),
        ]
    }

    private func profile(in request: SimulatedRequest) -> JSON {
        switch grant(of: request) {
        case .success(let grant):
            grant.scope == "snsapi_base" ? Self.refusal(48_001) : grant.person.profile
        case .failure(let refusal): Self.refusal(refusal.errcode)
        }
    }

    private func check(in request: SimulatedRequest) -> JSON {
        switch grant(of: request) {
        case .success: ["errcode": 0, "errmsg": "ok"]
        case .failure(let refusal): Self.refusal(refusal.errcode)
        }
    }

    private struct Refusal: Error {
        let errcode: Int64
    }

    private func grant(of request: SimulatedRequest) -> Result<Grant, Refusal> {
        let now = now()
        guard let grant = state.withLock({ $0.accessTokens[request.first("access_token") ?? ""] }) else {
            return .failure(Refusal(errcode: 40_001))
        }
        guard grant.end > now else { return .failure(Refusal(errcode: 42_001)) }
        guard grant.person.openID == request.first("openid") else { return .failure(Refusal(errcode: 40_003)) }
        return .success(grant)
    }

    private func signIn(_ body: Data) -> StoreResponse {
        let json = (try? JSON(parsing: Array(body))) ?? .object([])
        guard let openID = json["openid"]?.string else { return .json(["error": "openid is needed."], status: 400) }
        let person = SimulatedWeChatAccount(
            openID: openID,
            unionID: json["unionid"]?.string,
            nickname: json["nickname"]?.string ?? "",
            avatarURL: json["headimgurl"]?.string
        )
        return .json(["code": .string(signIn(person, scope: json["scope"]?.string ?? "snsapi_userinfo"))])
    }

    /// Returns an error. Its message is easy to find, so that a test sees whether it is kept: WeChat's own quote what was sent.
    private static func refusal(_ errcode: Int64) -> JSON {
        ["errcode": .integer(errcode), "errmsg": .string("refused, rid: 6566-\(errcode)-simulated")]
    }
}
