public import Foundation

/// A customer as they show themselves (lightgallery, "User"): `GET|PUT /api/v1/user/profile`.
public struct UserProfile: Resource {
    public var id: UUID
    public var displayName: String
    public var email: String?
    public var avatarURL: String?
    public var authProvider: String?
    public var linkedProviders: [String]
    public var createdAt: Date
    public var lastLoginAt: Date

    public static let fields = Fields<Self> {
        Field("id", \.id, "The customer's id.")
        Field("displayName", \.displayName, "Empty where neither they nor their provider gave a name.")
        Field("email", \.email, "As they or their provider gave it; it may be a relay of Apple's.")
        Field("avatarURL", \.avatarURL, .format("uri"))
        Field(
            "authProvider",
            \.authProvider,
            "What they signed in with last; null for whom only the app names. Values may be added.",
            .oneOf(Vocabulary.authProviders)
        )
        Field(
            "linkedProviders",
            \.linkedProviders,
            "All that they can sign in with, the one that was used last first.",
            .oneOf(Vocabulary.authProviders)
        )
        Field.seconds("createdAt", \.createdAt)
        Field.seconds("lastLoginAt", \.lastLoginAt)
    }

    public init(
        id: UUID,
        displayName: String,
        email: String?,
        avatarURL: String?,
        authProvider: String?,
        linkedProviders: [String],
        createdAt: Date,
        lastLoginAt: Date
    ) {
        self.id = id
        self.displayName = displayName
        self.email = email
        self.avatarURL = avatarURL
        self.authProvider = authProvider
        self.linkedProviders = linkedProviders
        self.createdAt = createdAt
        self.lastLoginAt = lastLoginAt
    }
}

/// The request body of `PUT /api/v1/user/profile`: the whole profile, in place of the old one.
public struct UserProfileRequest: Decodable, Sendable, Hashable {
    public var displayName: String?
    public var email: String?
    public var avatarURL: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init(
                "displayName",
                \.displayName,
                "Not blank, without line breaks and control characters.",
                .length(1, 255),
                .example(.string("Ada"))
            )
        ],
        optional: [
            .init("email", \.email, "Left out or empty, there is none.", .length(0, 254)),
            .init(
                "avatarURL",
                \.avatarURL,
                "An http or https address. Left out or empty, there is none.",
                .length(0, 2_048)
            ),
        ]
    )
}
