public import Foundation

/// What a customer's app signs in with from now on (lightgallery, "AuthToken").
public struct AuthTokens: Resource {
    public var accessToken: String
    public var refreshToken: String
    public var expiresAt: Date
    public var tokenType: String
    public var userId: UUID

    public static let fields = Fields<Self> {
        Field("accessToken", \.accessToken, "A JWT, signed with ES256; the keys are at `/.well-known/jwks.json`.")
        Field("refreshToken", \.refreshToken, "Good for seven days and one use.")
        Field("expiresAt", \.expiresAt, "Of the access token.")
        Field("tokenType", \.tokenType, .oneOf(["Bearer"]))
        Field("userId", \.userId, "The customer's id.")
    }

    public init(accessToken: String, refreshToken: String, expiresAt: Date, tokenType: String, userId: UUID) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.tokenType = tokenType
        self.userId = userId
    }
}

/// What `POST /api/v1/auth/token/refresh` is sent.
public struct RefreshTokenRequest: Decodable, Sendable, Hashable {
    public var refreshToken: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init(
                "refreshToken",
                \.refreshToken,
                "As the last answer had it.",
                .length(1, 200),
                .example(.string("prt_0123456789abcdef"))
            )
        ]
    )
}
