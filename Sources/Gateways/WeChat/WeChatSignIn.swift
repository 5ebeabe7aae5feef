package import Billing
package import Foundation

/// Signs people in with WeChat: a code becomes an openid, a unionid where WeChat has one, and their profile.
package struct WeChatSignIn: SignInProvider {
    private let client: WeChatClient

    init(for app: WeChatConfiguration, over connection: ProviderConnection) {
        client = WeChatClient(app: app, connection: connection)
    }

    package var provider: AuthProvider { .wechat }

    package func exchange(
        _ credential: SignInCredential,
        at now: Date
    ) async throws(SignInError) -> ProviderIdentity {
        let code = try credential.requiredCode()
        // WeChat's pages come back with this instead of a code.
        guard code != "authdeny" else { throw SignInError(.denied, "The person did not consent.", field: "code") }
        let token = try await client.token(forCode: code, at: now)
        let userInfo = token.tellsProfile ? try await userInfo(of: token, at: now) : nil
        let unionID = userInfo?.unionID ?? token.unionID
        return ProviderIdentity(
            provider: .wechat,
            subject: unionID ?? token.openID,
            otherSubjects: unionID == nil ? [] : [token.openID],
            profile: userInfo?.profile ?? ProviderProfile(),
            clientID: client.app.appID
        )
    }

    /// The code is used up by now: who they are is known, and a profile that does not come is no reason to send them back.
    ///
    /// - Throws: `.invalidCode` where WeChat has withdrawn the token, `.unavailable` for an answer about somebody else.
    private func userInfo(of token: WeChatToken, at now: Date) async throws(SignInError) -> WeChatUserInfo? {
        let userInfo: WeChatUserInfo
        do throws(SignInError) {
            userInfo = try await refreshingUserInfo(of: token, at: now)
        } catch {
            guard error.isRefusal else { return nil }
            throw error
        }
        guard userInfo.openID == token.openID else {
            throw SignInError(.unavailable, "WeChat's answer is about somebody else.")
        }
        return userInfo
    }

    /// Refreshes a token that has expired, once.
    private func refreshingUserInfo(of token: WeChatToken, at now: Date) async throws(SignInError) -> WeChatUserInfo {
        do throws(SignInError) {
            return try await client.userInfo(of: token, at: now)
        } catch {
            guard error.code == .invalidCode else { throw error }
            let refreshed = try await client.token(refreshing: token, at: now)
            return try await client.userInfo(of: refreshed, at: now)
        }
    }
}
