public import Foundation

/// The credentials that an app got from a provider: `POST /api/v1/auth/oauth/exchange` (lightgallery, "Exchange OAuth token for app
/// token").
public struct OAuthExchangeRequest: Decodable, Sendable, Hashable {
    public var provider: String?
    public var code: String?
    public var identityToken: String?
    public var nonce: String?
    public var redirectUri: String?
    public var clientId: String?
    public var displayName: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [.init("provider", \.provider, .oneOf(Vocabulary.authProviders))],
        optional: [
            .init(
                "code",
                \.code,
                "WeChat's `code`, Alipay's `auth_code`, Apple's authorization code. Good once.",
                .length(1, 2_048)
            ),
            .init(
                "identityToken",
                \.identityToken,
                """
                Apple's JWT; alone, or with the code, which lets the sign-in be ended at Apple when the account is deleted. Good once.
                """,
                .length(1, 65_536)
            ),
            .init(
                "nonce",
                \.nonce,
                "What the app gave to Apple, or what that is the SHA-256 of. Good once.",
                .length(1, 2_048)
            ),
            .init(
                "redirectUri",
                \.redirectUri,
                "Only where the authorization had one: Apple's pages.",
                .length(1, 2_048)
            ),
            .init(
                "clientId",
                \.clientId,
                "Which of the app's client ids Apple's code is for; needed where several are and no token says it.",
                .length(1, 2_048)
            ),
            .init(
                "displayName",
                \.displayName,
                "Apple tells a name to the device alone, the first time. It is taken where none is known.",
                .length(1, 255)
            ),
        ]
    )
}

/// The tokens of a customer's new or refreshed session, and their profile (lightgallery, "AuthResponse"): `POST
/// /api/v1/auth/oauth/exchange`, `POST /api/v1/auth/token/refresh`.
public struct AuthResponse: Resource {
    public var accessToken: String
    public var refreshToken: String
    public var expiresAt: Date
    public var expiresIn: Int
    public var tokenType: String
    public var userId: UUID
    public var isNewUser: Bool
    public var user: UserProfile

    public static let fields = Fields<Self> {
        Field("accessToken", \.accessToken, "A JWT, signed with ES256; the keys are at `/.well-known/jwks.json`.")
        Field("refreshToken", \.refreshToken, "Good for seven days and one use.")
        Field.seconds("expiresAt", \.expiresAt, "Of the access token.")
        Field("expiresIn", \.expiresIn, "The same in seconds from now.")
        Field("tokenType", \.tokenType, .oneOf(["Bearer"]))
        Field("userId", \.userId, "The customer's id.")
        Field("isNewUser", \.isNewUser, "Whether this sign-in made the customer; false where it goes on.")
        Field("user", \.user)
    }

    public init(
        accessToken: String,
        refreshToken: String,
        expiresAt: Date,
        expiresIn: Int,
        tokenType: String,
        userId: UUID,
        isNewUser: Bool,
        user: UserProfile
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.expiresIn = expiresIn
        self.tokenType = tokenType
        self.userId = userId
        self.isNewUser = isNewUser
        self.user = user
    }
}
