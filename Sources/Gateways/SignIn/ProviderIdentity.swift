package import Billing

/// Who signed in, as the provider says it.
package struct ProviderIdentity: Hashable, Sendable {
    package let provider: AuthProvider
    /// Names the person for the app: Apple's `sub`; WeChat's unionid, or else openid; Alipay's open_id, or else user_id.
    package let subject: String
    /// Other names that the provider has for the same person: WeChat's openid beside the unionid, Alipay's user_id beside the
    /// open_id. Keep them all: next time the provider may say one of them alone, and who was known under one is the same person.
    package let otherSubjects: [String]
    package let profile: ProviderProfile
    /// Apple's, to be kept sealed: ends the sign-in when the account is deleted. nil of others, and without a code.
    package let refreshToken: Secret?
    /// Which of the app's ids they signed in to; to be kept beside the refresh token.
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

/// What a provider tells about a person. Personal data: it is not printed; Operations hand it on as `Personal`.
package struct ProviderProfile: Hashable, Sendable {
    package var email: String?
    package var isEmailVerified: Bool?
    /// Whether the address is a relay of Apple's.
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
