package import Billing
package import Foundation

/// Signs people in with Alipay: a code becomes an open_id or a user_id, and their profile.
package struct AlipaySignIn: SignInProvider {
    private let client: AlipayClient

    init(for app: AlipayConfiguration, over connection: ProviderConnection) {
        client = AlipayClient(app: app, connection: connection)
    }

    package var provider: AuthProvider { .alipay }

    package func exchange(
        _ credential: SignInCredential,
        at now: Date
    ) async throws(SignInError) -> ProviderIdentity {
        let token = try await client.token(forCode: try credential.requiredCode(), at: now)
        let userInfo = try await userInfo(of: token, at: now)
        let subjects = [
            token.subjects.openID, token.subjects.userID, userInfo?.subjects.openID, userInfo?.subjects.userID,
        ]
        return ProviderIdentity(
            provider: .alipay,
            subject: token.subjects.openID ?? userInfo?.subjects.openID ?? token.subject,
            otherSubjects: Self.others(subjects.compactMap(\.self)),
            profile: userInfo?.profile ?? ProviderProfile(),
            clientID: client.app.appID
        )
    }

    /// All but the first, each once.
    private static func others(_ subjects: [String]) -> [String] {
        var seen = Set(subjects.prefix(1))
        return subjects.dropFirst().filter { seen.insert($0).inserted }
    }

    /// The code is used up by now: who they are is known, and a profile that does not come is no reason to send them back.
    /// After a silent authorization (`auth_base`) there is none.
    ///
    /// - Throws: `.invalidCode` where Alipay has withdrawn the token, `.unavailable` for an answer about somebody else.
    private func userInfo(of token: AlipayToken, at now: Date) async throws(SignInError) -> AlipayUserInfo? {
        let userInfo: AlipayUserInfo
        do throws(SignInError) {
            userInfo = try await client.userInfo(of: token, at: now)
        } catch {
            guard error.code == .invalidCode, let refreshed = try await refreshed(token, at: now),
                let second = try? await client.userInfo(of: refreshed, at: now)
            else { return nil }
            userInfo = second
        }
        guard userInfo.subjects.agree(with: token.subjects) else {
            throw SignInError(.unavailable, "Alipay's answer is about somebody else.")
        }
        return userInfo
    }

    /// nil where Alipay does not answer, or with the token of somebody else.
    private func refreshed(_ token: AlipayToken, at now: Date) async throws(SignInError) -> AlipayToken? {
        do throws(SignInError) {
            let refreshed = try await client.token(refreshing: token, at: now)
            return refreshed.subjects.agree(with: token.subjects) ? refreshed : nil
        } catch {
            guard error.isRefusal else { return nil }
            throw error
        }
    }
}
