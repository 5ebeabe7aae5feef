import APITypes
import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
package import Operations
package import Storage

/// Signs customers in with what their device got from a provider.
package struct SignInController: Sendable {
    let backOffice: BackOffice

    package static let exchange = APIOperation(
        "exchangeOAuthToken",
        .tokens,
        "Signs a customer in with Apple, WeChat or Alipay",
        """
        Who signs in for the first time becomes a customer. With an access token in `Authorization`, an anonymous customer becomes one \
        with who signs in, and all its tokens end; a signed-in customer gets another provider to sign in with; a token that is sent \
        has to be good. What a provider does not take is 401 with `code` `oauthFailed`; an account that is another customer's is 409 \
        with `identityTaken`, a second account of the same provider 409 with `providerAlreadyLinked`; while the provider does not answer it is 503 with `networkError`.
        """,
        body: OAuthExchangeRequest.body,
        takesKey: false,
        asksStore: true,
        namesApp: true,
        mayTakeToken: true,
        answer: .ok(AuthResponse.self, "A new session.")
    )

    /// `POST /api/v1/auth/oauth/exchange`
    @Sendable package func exchange(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let session = try await session(of: request, context)
        let app: App.ID = if let session { session.app } else { try await backOffice.apps.app(of: request).record.id }
        let sent = try await request.json(OAuthExchangeRequest.self, limit: BodyLimit.form * 2).value
        let caller = Caller(
            session.map { .customer($0.customer) } ?? .stranger(claiming: nil),
            actor: "customer",
            requestID: context.requestID
        )
        let signedIn = try await backOffice.signIn(
            try sent.signInRequest(),
            of: app,
            during: session,
            caller: caller
        )
        return .json(AuthResponse(signedIn))
    }

    /// Returns the session of the access token that came along; nil without one.
    private func session(of request: Request, _ context: WebRequestContext) async throws -> CustomerSession? {
        guard request.bearerToken != nil else { return nil }
        return try await CustomerAuthenticator(backOffice: backOffice).enter(request, context).session
    }
}

extension OAuthExchangeRequest {
    /// - Throws: `OperationsError` with `.invalid` that names each field at fault.
    fileprivate func signInRequest() throws -> SignInRequest {
        var problems: [FieldProblem] = []
        let provider = provider.flatMap(AuthProvider.init(rawValue:))
        if provider == nil {
            let isMissing = self.provider?.isEmpty ?? true
            problems.append(FieldProblem("provider", isMissing ? .missing : .unknownChoice))
        }
        let texts: [(String, String?, Int)] = [
            ("code", code, Self.longestText), ("identityToken", identityToken, 65_536),
            ("nonce", nonce, Self.longestText), ("redirectUri", redirectUri, Self.longestText),
            ("clientId", clientId, Self.longestText),
        ]
        for (field, text, longest) in texts {
            guard let text, let problem = Self.problem(of: text, longest) else { continue }
            problems.append(FieldProblem(field, problem))
        }
        let name = displayName?.trimmingCharacters(in: .whitespacesAndNewlines)
        if let name, let problem = ProfileRequest.problem(ofName: name) {
            problems.append(FieldProblem("displayName", problem))
        }
        if let provider, identityToken != nil, provider != .apple {
            problems.append(FieldProblem("identityToken", .other("Only Apple gives one.")))
        }
        if code == nil, identityToken == nil {
            problems.append(FieldProblem("code", .missing))
        }
        guard let provider, problems.isEmpty else { throw OperationsError(problems: problems) }
        return SignInRequest(
            provider: provider,
            code: code.map { Secret($0) },
            identityToken: identityToken.map { Secret($0) },
            nonce: nonce,
            redirectURI: redirectUri,
            clientID: clientId,
            name: name.map { Personal($0) }
        )
    }

    private static let longestText = 2_048

    private static func problem(of text: String, _ longest: Int) -> FieldProblem.Kind? {
        if text.isEmpty { return .missing }
        if text.utf8.count > longest { return .tooLong(longest) }
        return text.utf8.contains(0) ? .nul : nil
    }
}

extension AuthResponse {
    package init(_ signedIn: SignedIn) {
        self.init(
            accessToken: signedIn.tokens.accessToken.revealed,
            refreshToken: signedIn.tokens.refreshToken?.revealed ?? "",
            expiresAt: signedIn.tokens.expiresAt,
            expiresIn: Int(AccessTokens.lifetime),
            tokenType: "Bearer",
            userId: signedIn.tokens.customer.uuid,
            isNewUser: signedIn.isNew,
            user: UserProfile(signedIn.profile)
        )
    }
}

extension UserProfile {
    /// Makes the profile that the customer themselves see.
    package init(_ profile: CustomerProfile) {
        let reader = DataSubject()
        self.init(
            id: profile.customer.uuid,
            displayName: profile.name?.shown(to: reader) ?? "",
            email: profile.email?.shown(to: reader),
            avatarURL: profile.avatarURL?.shown(to: reader),
            authProvider: profile.providers.first?.rawValue,
            linkedProviders: profile.providers.map(\.rawValue),
            createdAt: profile.createdAt,
            lastLoginAt: profile.lastSignInAt
        )
    }
}
