/// The request body of `POST /api/v1/auth/token/refresh`.
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
