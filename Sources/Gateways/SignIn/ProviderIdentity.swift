package import Billing

/// A person's identity by their sign-in provider.
package struct ProviderIdentity: Hashable, Sendable {
    package let provider: AuthProvider
    /// The person's id for the app: Apple's `sub`; WeChat's unionid, or else openid; Alipay's open_id, or else user_id.
    package let subject: String
    /// The provider's other ids of the same person: WeChat's openid beside the unionid, Alipay's user_id beside the open_id. Keep them all:
    /// next time the provider may send one of them alone, and a person known under one is the same person.
    package let otherSubjects: [String]
    package let profile: ProviderProfile
    /// Apple's refresh token, to be kept encrypted: it ends the sign-in when the account is deleted. nil for other providers, and without a
    /// code.
    package let refreshToken: Secret?
    /// The client id of the app that they signed in to; to be kept beside the refresh token.
    package let clientID: String

    package init(
        provider: AuthProvider,
        subject: String,
        otherSubjects: [String] = [],
        profile: ProviderProfile = ProviderProfile(),
        refreshToken: Secret? = nil,
        clientID: String
    ) {
        self.provider = provider
        self.subject = subject
        self.otherSubjects = otherSubjects
        self.profile = profile
        self.refreshToken = refreshToken
        self.clientID = clientID
    }
}

/// A person's profile at a provider. Personal data: it is not printed; Operations pass it on as `Personal`.
package struct ProviderProfile: Hashable, Sendable {
    package var email: String?
    package var isEmailVerified: Bool?
    /// True if the address is one of Apple's relays.
    package var isPrivateEmail: Bool?
    package var nickname: String?
    /// An http or https address.
    package var avatarURL: String?

    package init(
        email: String? = nil,
        isEmailVerified: Bool? = nil,
        isPrivateEmail: Bool? = nil,
        nickname: String? = nil,
        avatarURL: String? = nil
    ) {
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.isPrivateEmail = isPrivateEmail
        self.nickname = nickname
        self.avatarURL = avatarURL
    }
}

extension ProviderProfile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(personal data)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
