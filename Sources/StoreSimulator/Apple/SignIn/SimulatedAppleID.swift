package import Crypto
package import Foundation
package import Gateways
import Synchronization

/// Plays Sign in with Apple: keys, tokens for codes, revocation, and notifications about accounts.
///
/// It checks what Apple checks: the client secret's signature, team, client and term, and that a code is used once.
package final class SimulatedAppleID: Sendable {
    private let teamID: String
    private let keyID: String
    private let clientKey: P256.Signing.PublicKey
    private let clientIDs: Set<String>
    private let now: @Sendable () -> Date
    let state: Mutex<State>

    /// - Parameters:
    ///   - clientKey: the public half of the key that signs client secrets; `keyID` is its id.
    ///   - clientIDs: the ids that codes are given to.
    ///   - keys: the keys that it signs with at first; nil for new ones.
    package init(
        teamID: String,
        keyID: String,
        clientKey: P256.Signing.PublicKey,
        clientIDs: Set<String>,
        keys: SimulatedAppleKeys? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.teamID = teamID
        self.keyID = keyID
        self.clientKey = clientKey
        self.clientIDs = clientIDs
        self.now = now
        state = Mutex(State(keys: try keys?.all ?? SimulatedAppleKeys().all))
    }

    /// The endpoints of the simulated store.
    package var endpoints: [SimulatedEndpoint] {
        [
            SimulatedEndpoint("GET", "/auth/keys") { [self] _ in keys() },
            SimulatedEndpoint("POST", "/auth/token") { [self] request in token(FormFields.decode(request.body)) },
            SimulatedEndpoint("POST", "/auth/revoke") { [self] request in revoke(FormFields.decode(request.body)) },
        ]
    }

    /// Signs with a new key from now on; the oldest is no longer given out.
    package func rotateKeys() throws {
        let id = state.withLock { $0.rotations + 3 }
        let key = try SimulatedAppleKey(id: "SIMKEY\(String(format: "%04d", id))")
        state.withLock { state in
            state.rotations += 1
            state.keys = state.keys.dropFirst() + [key]
        }
    }

    /// Answers the next request for a token or a revocation with one of Apple's errors, such as `invalid_grant`.
    package func refuse(with error: String) {
        state.withLock { $0.refusals.append(error) }
    }

    /// The number of requests for the keys.
    package var keysAsked: Int { state.withLock { $0.keysAsked } }

    /// Tokens that were revoked.
    package var revoked: Set<String> { state.withLock { $0.revoked } }

    /// Returns a code, good once for five minutes, and an identity token, as an app gets them when somebody signs in.
    package func signIn(
        _ person: SimulatedAppleAccount,
        to clientID: String,
        nonce: String? = nil,
        redirectURI: String? = nil
    ) throws -> (code: String, identityToken: String) {
        let code = "c\(UUID().uuidString.lowercased()).0.simulated"
        let end = now().addingTimeInterval(300)
        state.withLock {
            $0.codes[code] = Grant(person: person, clientID: clientID, redirectURI: redirectURI, end: end)
        }
        return (code, try identityToken(person, for: clientID, nonce: nonce))
    }

    /// Returns an identity token, spoiled by `bend`.
    package func identityToken(
        _ person: SimulatedAppleAccount,
        for clientID: String,
        nonce: String? = nil,
        bend: (inout JSON) -> Void = { _ in }
    ) throws -> String {
        var claims = person.claims(for: clientID, at: now())
        if let nonce {
            claims["nonce"] = .string(nonce)
            claims["nonce_supported"] = true
        }
        bend(&claims)
        return try sign(claims)
    }

    /// Returns the body of a POST about an account: `events` as a text of JSON, `event_time` in milliseconds, as Apple sends them.
    package func notification(
        _ type: String,
        of person: SimulatedAppleAccount,
        for clientID: String,
        bend: (inout JSON, inout JSON) -> Void = { _, _ in }
    ) throws -> Data {
        let now = Int64(now().timeIntervalSince1970)
        var event: JSON = [
            "type": .string(type), "sub": .string(person.subject), "event_time": .integer(now * 1_000),
        ]
        if type.hasPrefix("email-") {
            event["email"] = person.email.map { .string($0) }
            event["is_private_email"] = person.isPrivateEmail ? "true" : "false"
        }
        var claims: JSON = [
            "iss": .string(AppleSignInConfiguration.apple), "aud": .string(clientID), "iat": .integer(now),
            "jti": .string(UUID().uuidString.lowercased()),
        ]
        bend(&claims, &event)
        if claims["events"] == nil { claims["events"] = .string(String(decoding: event.bytes, as: UTF8.self)) }
        let body: JSON = ["payload": .string(try sign(claims))]
        return Data(body.bytes)
    }

    /// Returns a token over any claims, signed with the newest key.
    package func sign(_ claims: JSON) throws -> String {
        let key = state.withLock { $0.keys.last }
        guard let key else { return "" }
        return try key.sign(claims)
    }

    struct Grant {
        var person: SimulatedAppleAccount
        var clientID: String
        var redirectURI: String?
        var end: Date
    }

    struct State {
        var keys: [SimulatedAppleKey]
        var rotations = 0
        var keysAsked = 0
        var refusals: [String] = []
        var codes: [String: Grant] = [:]
        var refreshTokens: [String: Grant] = [:]
        var accessTokens: [String: String] = [:]
        var revoked: Set<String> = []
    }

    private func keys() -> StoreResponse {
        state.withLock { state in
            state.keysAsked += 1
            return Self.response(200, ["keys": .array(state.keys.map(\.jwk))])
        }
    }

    private func token(_ form: [String: String]) -> StoreResponse {
        if let error = refusal(of: form) { return Self.response(400, ["error": .string(error)]) }
        let clientID = form["client_id"] ?? ""
        switch form["grant_type"] {
        case "authorization_code":
            let now = now()
            let grant = state.withLock { state in state.codes.removeValue(forKey: form["code"] ?? "") }
            guard let grant, grant.clientID == clientID, grant.end > now else {
                return Self.response(400, ["error": "invalid_grant"])
            }
            guard grant.redirectURI == form["redirect_uri"] else {
                return Self.response(400, ["error": "invalid_client"])
            }
            let refreshToken = "r\(UUID().uuidString.lowercased())"
            state.withLock { $0.refreshTokens[refreshToken] = grant }
            return tokens(for: grant, refreshToken: refreshToken, named: true)
        case "refresh_token":
            let token = form["refresh_token"] ?? ""
            let grant = state.withLock { $0.refreshTokens[token] }
            guard let grant, grant.clientID == clientID else { return Self.response(400, ["error": "invalid_grant"]) }
            return tokens(for: grant, refreshToken: token, named: false)
        default: return Self.response(400, ["error": "unsupported_grant_type"])
        }
    }

    private func tokens(for grant: Grant, refreshToken: String, named: Bool) -> StoreResponse {
        let accessToken = "a\(UUID().uuidString.lowercased())"
        state.withLock { $0.accessTokens[accessToken] = refreshToken }
        guard let token = try? identityToken(grant.person, for: grant.clientID) else {
            return StoreResponse(status: 500)
        }
        var answer: JSON = [
            "access_token": .string(accessToken), "token_type": "Bearer", "expires_in": 3_600,
            "id_token": .string(token),
        ]
        if named { answer["refresh_token"] = .string(refreshToken) }
        return Self.response(200, answer)
    }

    private func revoke(_ form: [String: String]) -> StoreResponse {
        if let error = refusal(of: form) { return Self.response(400, ["error": .string(error)]) }
        guard let token = form["token"] else { return Self.response(400, ["error": "invalid_request"]) }
        state.withLock { state in
            let refreshToken = state.accessTokens[token] ?? token
            // An unknown token is no error.
            if state.refreshTokens.removeValue(forKey: refreshToken) != nil { state.revoked.insert(token) }
        }
        return StoreResponse(status: 200)
    }

    /// Returns Apple's error for a client that it rejects; nil for the app itself.
    private func refusal(of form: [String: String]) -> String? {
        let prepared: String? = state.withLock { $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }
        if let prepared { return prepared }
        guard let clientID = form["client_id"], let secret = form["client_secret"] else { return "invalid_request" }
        guard clientIDs.contains(clientID) else { return "invalid_client" }
        return isGenuine(secret, of: clientID) ? nil : "invalid_client"
    }

    private func isGenuine(_ secret: String, of clientID: String) -> Bool {
        let parts = secret.split(separator: ".").map(String.init)
        guard parts.count == 3, let header = Base64.decode(url: parts[0].utf8),
            let payload = Base64.decode(url: parts[1].utf8), let signature = Base64.decode(url: parts[2].utf8),
            let head = try? JSON(parsing: header), let claims = try? JSON(parsing: payload),
            head["alg"] == "ES256", head["kid"] == .string(keyID),
            let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            clientKey.isValidSignature(ecdsa, for: Data("\(parts[0]).\(parts[1])".utf8)),
            case .integer(let issuedAt)? = claims["iat"], case .integer(let end)? = claims["exp"]
        else { return false }
        let now = Int64(now().timeIntervalSince1970)
        return claims["iss"] == .string(teamID) && claims["sub"] == .string(clientID)
            && claims["aud"] == .string(AppleSignInConfiguration.apple)
            && end > now && end <= issuedAt + AppleClientSecret.longest
    }

    private static func response(_ status: Int, _ json: JSON) -> StoreResponse {
        StoreResponse(
            status: status,
            headers: ["content-type": "application/json;charset=ISO-8859-1"],
            body: Data(json.bytes)
        )
    }
}
