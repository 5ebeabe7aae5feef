package import Billing

/// The credential that an app's device got from its provider. The provider's exchange checks bounds and shapes.
package struct SignInCredential: Sendable {
    /// WeChat's `code`, Alipay's `auth_code`, Apple's authorization code.
    package var code: Secret?
    /// Apple's JWT. With a code beside it, both must be of the same person.
    package var identityToken: Secret?
    /// The nonce that the app gave to Apple, or the text whose SHA-256 was that nonce. The caller makes sure that each is used once.
    package var nonce: String?
    /// Only if the authorization had one (Apple's pages).
    package var redirectURI: String?
    /// The app's client id that a code of Apple is for; needed if there is no identity token and the app has several.
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
