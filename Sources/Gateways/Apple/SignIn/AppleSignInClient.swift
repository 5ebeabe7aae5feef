package import Billing
package import Foundation

/// The client of Apple's sign-in: exchanges a code for tokens, checks that a sign-in still holds, and ends it.
package struct AppleSignInClient: Sendable {
    private let transport: any StoreTransport
    private let verifier: AppleIdentityVerifier
    private let app: AppleSignInConfiguration

    package init(transport: any StoreTransport, keys: JWTKeySet, for app: AppleSignInConfiguration) {
        self.transport = transport
        verifier = AppleIdentityVerifier(keys: keys)
        self.app = app
    }

    /// Exchanges an authorization code, which can be used once and within five minutes, for tokens.
    ///
    /// - Parameters:
    ///   - subject: the person of the identity token that came with the code; nil if none came.
    ///   - redirectURI: only if the authorization had one (web pages).
    /// - Throws: `.wrongSubject` when the code is somebody else's.
    package func exchange(
        code: Secret,
        clientID: String,
        redirectURI: String? = nil,
        subject: String?,
        at now: Date
    ) async throws(AppleSignInError) -> AppleTokens {
        var fields = [("grant_type", "authorization_code"), ("code", code.revealed)]
        if let redirectURI { fields.append(("redirect_uri", redirectURI)) }
        let tokens = try await tokens(for: fields, clientID: clientID, at: now)
        guard tokens.refreshToken != nil else {
            throw AppleSignInError(.unreachable, "Apple's answer has no refresh token.")
        }
        if let subject { try tokens.require(subject) }
        return tokens
    }

    /// Checks that the person still uses their account with the app. Apple allows this once a day at most.
    ///
    /// - Throws: `.refused` if they do not.
    package func refresh(
        _ refreshToken: Secret,
        clientID: String,
        subject: String?,
        at now: Date
    ) async throws(AppleSignInError) -> AppleTokens {
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed)]
        let tokens = try await tokens(for: fields, clientID: clientID, at: now)
        if let subject { try tokens.require(subject) }
        return tokens
    }

    /// Ends a sign-in at Apple, as required when a person deletes their account. It is no error if it has ended already.
    package func revoke(_ token: RevocableToken, clientID: String, at now: Date) async throws(AppleSignInError) {
        let fields = [("token", token.text), ("token_type_hint", token.hint)]
        let body = try await ask("/auth/revoke", fields, clientID, at: now)
        // Apple's answer is empty; a page in its place did not end anything.
        guard body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            throw AppleSignInError(.unreachable, "Apple's answer cannot be read.")
        }
    }

    /// A token that can be revoked.
    package enum RevocableToken: Sendable {
        case refresh(Secret)
        case access(Secret)

        fileprivate var text: String {
            switch self {
            case .refresh(let token), .access(let token): token.revealed
            }
        }

        fileprivate var hint: String {
            switch self {
            case .refresh: "refresh_token"
            case .access: "access_token"
            }
        }
    }

    private func tokens(
        for fields: [(String, String)],
        clientID: String,
        at now: Date
    ) async throws(AppleSignInError) -> AppleTokens {
        let body = try await ask("/auth/token", fields, clientID, at: now)
        let json: JSON
        do {
            json = try JSON(parsing: Array(body))
        } catch {
            throw AppleSignInError(.unreachable, "Apple's answer cannot be read.", underlying: error)
        }
        guard let accessToken = json["access_token"]?.string, let idToken = json["id_token"]?.string else {
            throw AppleSignInError(.unreachable, "Apple's answer has no tokens.")
        }
        // It came over TLS from Apple; it is verified all the same, for what it says of whom and of which app.
        let identity: AppleIdentity
        do {
            identity = try await verifier.verify(idToken, clientIDs: [clientID], nonce: nil, at: now)
        } catch {
            throw AppleSignInError(error)
        }
        return AppleTokens(
            accessToken: Secret(accessToken),
            refreshToken: json["refresh_token"]?.string.map { Secret($0) },
            identity: identity
        )
    }

    private func ask(
        _ path: String,
        _ fields: [(String, String)],
        _ clientID: String,
        at now: Date
    ) async throws(AppleSignInError) -> Data {
        guard app.clientIDs.contains(clientID) else {
            throw AppleSignInError(.misconfigured, "The client id is not one of the app's.", field: "clientIds")
        }
        let secret = try AppleClientSecret.sign(clientID: clientID, for: app, at: now)
        let request = StoreRequest(
            "POST",
            app.address + path,
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
            body: Data(FormFields.encode([("client_id", clientID), ("client_secret", secret)] + fields).utf8),
            asker: clientID
        )
        let response: StoreResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw AppleSignInError(error)
        }
        guard response.status == 200 else { throw Self.refusal(response, at: now) }
        return response.body
    }

    private static func refusal(_ response: StoreResponse, at now: Date) -> AppleSignInError {
        let error =
            (400..<500).contains(response.status) ? (try? JSON(parsing: Array(response.body)))?["error"]?.string : nil
        switch error {
        case "invalid_grant":
            return AppleSignInError(.refused, "Apple does not take the code or token: used, over, or another app's.")
        case "invalid_client":
            return AppleSignInError(
                .misconfigured,
                "Apple does not take the app's team, key or client id.",
                field: "key"
            )
        case "unauthorized_client":
            return AppleSignInError(.misconfigured, "Apple does not let the app sign people in.", field: "clientIds")
        case "invalid_request", "invalid_scope", "unsupported_grant_type":
            return AppleSignInError(.misconfigured, "Apple does not take the way it is asked.")
        default:
            var failure = AppleSignInError(
                .unreachable,
                "Apple's sign-in could not answer (HTTP \(response.status))."
            )
            failure.retryAfter = response.retryAfter(at: now)
            return failure
        }
    }
}

/// Apple's tokens for a code.
package struct AppleTokens: Hashable, Sendable {
    package let accessToken: Secret
    /// Kept for checking and ending the sign-in; nil if the request used a refresh token.
    package let refreshToken: Secret?
    package let identity: AppleIdentity

    fileprivate func require(_ subject: String) throws(AppleSignInError) {
        guard identity.subject == subject else {
            throw AppleSignInError(.wrongSubject, "The code belongs to somebody else.", field: "code")
        }
    }
}
