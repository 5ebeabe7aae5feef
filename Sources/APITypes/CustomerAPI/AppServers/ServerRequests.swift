public import Foundation

/// The customers whose entitlements an app's server asks for at once: `POST /customers/entitlements`.
public struct EntitlementBatchRequest: Decodable, Sendable, Hashable {
    public var customers: [String]?

    public static let body = RequestBody(
        of: Self.self,
        required: [.init("customers", \.customers, "The app's own ids.", .length(1, 255), .count(1, 100))]
    )
}

/// Their entitlements, in the order in which they were asked for.
public struct EntitlementBatch: Resource {
    public var entitlements: [CustomerEntitlement]

    public static let fields = Fields<Self> {
        Field("entitlements", \.entitlements, "One for each id, in its order.")
    }

    public init(entitlements: [CustomerEntitlement]) {
        self.entitlements = entitlements
    }
}

/// The request body of `POST /customers/{externalId}/tokens`.
public struct MintedTokenRequest: Decodable, Sendable, Hashable {
    public var isAnonymous: Bool?
    public var appAccountToken: UUID?

    public static let body = RequestBody(
        of: Self.self,
        required: [],
        optional: [
            .init("isAnonymous", \.isAnonymous, "Whether the id is of a device; without it, it is of an account."),
            .init(
                "appAccountToken",
                \.appAccountToken,
                "The token that the app gave to the store itself; without it, the token is made here."
            ),
        ]
    )
}

/// An access token that was minted for a customer.
public struct MintedToken: Resource {
    public var accessToken: String
    public var expiresAt: Date
    public var tokenType: String
    public var userId: UUID

    public static let fields = Fields<Self> {
        Field("accessToken", \.accessToken, "Good for one hour; mint another when it is over.")
        Field("expiresAt", \.expiresAt)
        Field("tokenType", \.tokenType, .oneOf(["Bearer"]))
        Field("userId", \.userId, "The customer's id.")
    }

    public init(accessToken: String, expiresAt: Date, tokenType: String, userId: UUID) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.tokenType = tokenType
        self.userId = userId
    }
}
