package import Billing

/// What an app's device got from its provider. Bounds and shapes are checked by the provider's exchange.
package struct SignInCredential: Sendable {
    /// WeChat's `code`, Alipay's `auth_code`, Apple's authorization code.
    package var code: Secret?
    /// Apple's JWT. With a code beside it, both must be of the same person.
    package var identityToken: Secret?
    /// What the app gave to Apple as nonce, or what that is the SHA-256 of. Whoever calls sees to it that each is used once.
    package var nonce: String?
    /// Only if the authorization had one (Apple's pages).
    package var redirectURI: String?
    /// Which of the app's client ids a code of Apple is for; needed where no identity token says it and the app has several.
    package var clientID: String?

    package init(
        code: Secret? = nil,
        identityToken: Secret? = nil,
        nonce: String? = nil,
        redirectURI: String? = nil,
        clientID: String? = nil
    ) {
        self.code = code
        self.identityToken = identityToken
        self.nonce = nonce
        self.redirectURI = redirectURI
        self.clientID = clientID
    }

    /// As much is read of a code, a nonce or a client id, in bytes; providers' own have less than 100 letters.
    package static let longestText = 2_048
}
