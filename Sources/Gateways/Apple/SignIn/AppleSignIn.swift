package import Billing
package import Foundation

/// Signs people in with Apple: by the identity token that the device got, by the authorization code, or by both, which must be of
/// the same person. A code brings the refresh token that ends the sign-in later.
package struct AppleSignIn: SignInProvider {
    private let app: AppleSignInConfiguration
    private let client: AppleSignInClient
    private let verifier: AppleIdentityVerifier

    package init(for app: AppleSignInConfiguration, client: AppleSignInClient, verifier: AppleIdentityVerifier) {
        self.app = app
        self.client = client
        self.verifier = verifier
    }

    package var provider: AuthProvider { .apple }

    package func exchange(
        _ credential: SignInCredential,
        at now: Date
    ) async throws(SignInError) -> ProviderIdentity {
        let nonce = try credential.boundedNonce()
        guard let token = credential.identityToken?.revealed, !token.isEmpty else {
            let clientID = try clientID(credential.clientID)
            let tokens = try await exchange(credential, clientID: clientID, subject: nil, at: now)
            // Apple's answer to a code repeats the nonce where the authorization had one.
            if let nonce, tokens.identity.nonce != nil { try require(nonce, of: tokens.identity) }
            return ProviderIdentity(tokens.identity, refreshToken: tokens.refreshToken)
        }
        let identity: AppleIdentity
        do {
            identity = try await verifier.verify(token, clientIDs: app.clientIDs, nonce: nonce, at: now)
        } catch {
            throw SignInError(error, field: error.code == .wrongNonce ? "nonce" : "identityToken")
        }
        guard credential.code?.revealed.isEmpty == false else {
            return ProviderIdentity(identity, refreshToken: nil)
        }
        let tokens = try await exchange(
            credential,
            clientID: identity.clientID,
            subject: identity.subject,
            at: now
        )
        return ProviderIdentity(identity, refreshToken: tokens.refreshToken)
    }

    package func revoke(_ refreshToken: Secret, clientID: String?, at now: Date) async throws(SignInError) {
        let clientID = try self.clientID(clientID)
        do {
            try await client.revoke(.refresh(refreshToken), clientID: clientID, at: now)
        } catch {
            // A token that Apple does not take any more has ended.
            guard error.code != .refused else { return }
            throw SignInError(error, field: error.field)
        }
    }

    private func exchange(
        _ credential: SignInCredential,
        clientID: String,
        subject: String?,
        at now: Date
    ) async throws(SignInError) -> AppleTokens {
        let code = Secret(try credential.requiredCode())
        do {
            return try await client.exchange(
                code: code,
                clientID: clientID,
                redirectURI: credential.redirectURI,
                subject: subject,
                at: now
            )
        } catch {
            throw SignInError(error, field: error.code == .misconfigured ? error.field : "code")
        }
    }

    private func require(_ nonce: String, of identity: AppleIdentity) throws(SignInError) {
        do {
            try identity.require(nonce)
        } catch {
            throw SignInError(error, field: "nonce")
        }
    }

    /// - Parameter named: nil where the app has one.
    private func clientID(_ named: String?) throws(SignInError) -> String {
        guard let clientID = named ?? (app.clientIDs.count == 1 ? app.clientIDs.first : nil) else {
            throw SignInError(
                .invalidCode,
                "The app has several client ids at Apple: which one the code is for is missing.",
                field: "clientId"
            )
        }
        guard app.clientIDs.contains(clientID) else {
            throw SignInError(.invalidCode, "The client id is not one of the app's.", field: "clientId")
        }
        return clientID
    }
}

extension ProviderIdentity {
    fileprivate init(_ identity: AppleIdentity, refreshToken: Secret?) {
        self.init(
            provider: .apple,
            subject: identity.subject,
            profile: ProviderProfile(
                email: identity.email,
                isEmailVerified: identity.isEmailVerified,
                isPrivateEmail: identity.isPrivateEmail
            ),
            refreshToken: refreshToken,
            clientID: identity.clientID
        )
    }
}

extension SignInCredential {
    fileprivate func boundedNonce() throws(SignInError) -> String? {
        guard let nonce, !nonce.isEmpty else { return nil }
        guard nonce.utf8.count <= Self.longestText else {
            throw SignInError(.invalidCode, "The nonce is too long.", field: "nonce")
        }
        return nonce
    }
}

extension SignInError {
    /// Maps the error by what the customer or staff can do about it.
    fileprivate init(_ error: AppleSignInError, field: String?) {
        let code: Code =
            switch error.code {
            case .misconfigured: .misconfigured
            case .unreachable: .unavailable
            case .invalidToken, .wrongSubject, .refused: .invalidCode
            }
        self.init(
            code,
            error.message,
            field: field,
            providerCode: (error.underlying as? JWTError)?.code.rawValue ?? error.code.rawValue,
            retryAfter: error.retryAfter,
            underlying: error
        )
    }

    fileprivate init(_ error: JWTError, field: String?) {
        self.init(
            error.code == .unreachable ? .unavailable : .invalidCode,
            error.message,
            field: field,
            providerCode: error.code.rawValue,
            underlying: error
        )
    }
}
