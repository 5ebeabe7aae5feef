import APITypes
import Billing
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Refreshes and ends customers' tokens, and publishes the keys that they are signed with.
package struct TokensController: Sendable {
    let backOffice: BackOffice

    package static let keySet = APIOperation(
        "showKeySet",
        .tokens,
        "The public keys of access tokens",
        "Whoever has them can check an access token without asking. An unknown `kid` is a reason to read them again.",
        answer: .ok(JWKSet.self, "The keys.")
    )

    /// `GET /.well-known/jwks.json`
    @Sendable package func keySet(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let keys = try await backOffice.accessTokens.published()
        var response = Response.json(JWKSet(keys: keys.map { JWKSet.Key(kid: $0.id, x: $0.x, y: $0.y) }))
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }

    package static let refresh = APIOperation(
        "refreshTokens",
        .tokens,
        "Makes a new pair of tokens",
        """
        Each refresh token is used once. When the answer was lost, or two calls were made at once, send the same one again: it makes \
        another pair. The first of these pairs that is used voids the others. Once a newer one was used, an older one ends the \
        session: somebody else has it.
        """,
        body: RefreshTokenRequest.body,
        takesKey: false,
        answer: .ok(AuthResponse.self, "The new pair, and who the customer is.")
    )

    /// `POST /api/v1/auth/token/refresh`
    @Sendable package func refresh(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let sent = try await request.json(RefreshTokenRequest.self).value
        guard let text = sent.refreshToken, !text.isEmpty else {
            throw OperationsError(problems: [FieldProblem("refreshToken", .missing)])
        }
        return .json(AuthResponse(try await backOffice.refreshSession(text)))
    }

    package static let logOut = APIOperation(
        "logOut",
        .tokens,
        "Ends the session",
        "Its access token opens nothing any more, on any server.",
        takesKey: false,
        answer: .noContent("The session has ended.")
    )

    /// `POST /api/v1/auth/logout`
    @Sendable package func logOut(_ call: CustomerRequest) async throws -> Response {
        try await backOffice.signOut(call.session.id)
        return Response(status: .noContent)
    }
}
