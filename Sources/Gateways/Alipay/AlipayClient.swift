import Billing
import Foundation

/// Asks Alipay's OpenAPI about who signs in to one app.
struct AlipayClient: Sendable {
    let app: AlipayConfiguration
    let connection: ProviderConnection

    /// Changes a code, which is good once, for a token.
    func token(forCode code: String, at now: Date) async throws(SignInError) -> AlipayToken {
        let fields = [("grant_type", "authorization_code"), ("code", code)]
        return try await ask(.exchange, fields, at: now) { json throws(GatewayError) in try AlipayToken(json) }
    }

    /// Another token in its place; the old ones are dead at once.
    func token(refreshing token: AlipayToken, at now: Date) async throws(SignInError) -> AlipayToken {
        guard let refreshToken = token.refreshToken else {
            throw SignInError(.invalidCode, "Alipay's token is over, and there is none to refresh it.", field: "code")
        }
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed)]
        return try await ask(.refresh, fields, at: now) { json throws(GatewayError) in try AlipayToken(json) }
    }

    func userInfo(of token: AlipayToken, at now: Date) async throws(SignInError) -> AlipayUserInfo {
        let fields = [("auth_token", token.accessToken.revealed)]
        return try await ask(.userInfo, fields, at: now) { json throws(GatewayError) in try AlipayUserInfo(json) }
    }

    private func ask<Content: Sendable>(
        _ endpoint: AlipayEndpoint,
        _ fields: [(String, String)],
        at now: Date,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(SignInError) -> Content {
        try await connection.ask(isRepeatable: endpoint == .userInfo, at: now) { () throws(SignInError) in
            do throws(GatewayError) {
                return try AlipayRequest(endpoint.method, fields, for: app, at: now).request(to: app.gateway)
            } catch {
                throw SignInError(.misconfigured, error.message, field: error.field, underlying: error)
            }
        } read: { body throws(SignInFailure) in
            let response: AlipayResponse
            do throws(GatewayError) {
                response = try AlipayResponse(body, to: endpoint.method, from: app.keys.signers, at: now)
            } catch {
                guard error.code == .invalidSignature else { throw connection.unreadable(error) }
                throw SignInFailure(
                    SignInError(.misconfigured, error.message, field: AlipaySetting.alipayPublicKey, underlying: error)
                )
            }
            guard !response.isRefusal else { throw endpoint.failure(response) }
            do {
                return try read(response.content)
            } catch {
                throw connection.unreadable(error)
            }
        }
    }
}

/// Alipay's ids of a person: new apps get the open_id alone, old ones the user_id.
struct AlipaySubjects: Hashable, Sendable {
    let openID: String?
    let userID: String?

    init(_ fields: JSONFields) throws(GatewayError) {
        openID = ProviderText.subject(try fields.string("open_id"))
        userID = ProviderText.subject(try fields.string("user_id"))
    }

    var subject: String? { openID ?? userID }

    /// True if both can be the same person: the ids that both have are equal.
    func agree(with other: AlipaySubjects) -> Bool {
        let openIDs = Set([openID, other.openID].compactMap(\.self))
        let userIDs = Set([userID, other.userID].compactMap(\.self))
        return openIDs.count <= 1 && userIDs.count <= 1
    }
}

/// Alipay's tokens for a code.
struct AlipayToken: Hashable, Sendable {
    let accessToken: Secret
    let refreshToken: Secret?
    let subjects: AlipaySubjects
    let subject: String

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "response")
        accessToken = Secret(try fields.required("access_token"))
        refreshToken = try fields.string("refresh_token").map { Secret($0) }
        subjects = try AlipaySubjects(fields)
        guard let subject = subjects.subject else {
            throw GatewayError(.missing, "The response does not say who signed in.", field: "open_id")
        }
        self.subject = subject
    }
}

/// A person's profile at Alipay.
struct AlipayUserInfo: Sendable {
    let subjects: AlipaySubjects
    let profile: ProviderProfile

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "response")
        subjects = try AlipaySubjects(fields)
        profile = ProviderProfile(
            nickname: ProviderText.nickname(try fields.string("nick_name")),
            avatarURL: ProviderText.avatar(try fields.string("avatar"))
        )
    }
}
