package import Billing
import Crypto
import Foundation
import Gateways
package import Storage

/// An app's request to sign in a customer who has signed in at a provider.
package struct SignInRequest: Sendable {
    package var provider: AuthProvider
    /// WeChat's `code`, Alipay's `auth_code`, Apple's authorization code.
    package var code: Secret?
    /// Apple's JWT.
    package var identityToken: Secret?
    /// The nonce that the app gave to Apple, or the text whose SHA-256 was that nonce.
    package var nonce: String?
    /// Only if the authorization had one (Apple's pages).
    package var redirectURI: String?
    /// The app's client id that an authorization code of Apple is for.
    package var clientID: String?
    /// Apple sends a name to the device alone, and the first time only.
    package var name: Personal<String>?

    package init(
        provider: AuthProvider,
        code: Secret? = nil,
        identityToken: Secret? = nil,
        nonce: String? = nil,
        redirectURI: String? = nil,
        clientID: String? = nil,
        name: Personal<String>? = nil
    ) {
        self.provider = provider
        self.code = code
        self.identityToken = identityToken
        self.nonce = nonce
        self.redirectURI = redirectURI
        self.clientID = clientID
        self.name = name
    }

    var credential: SignInCredential {
        SignInCredential(
            code: code,
            identityToken: identityToken,
            nonce: nonce,
            redirectURI: redirectURI,
            clientID: clientID
        )
    }

    /// SHA-256 of everything that is good once.
    var digests: [[UInt8]] {
        var digests: [[UInt8]] = []
        for (kind, text) in [("code", code?.revealed), ("token", identityToken?.revealed), ("nonce", nonce)] {
            if let text { digests.append(Self.digest(kind, provider, text)) }
        }
        return digests
    }

    private static func digest(_ kind: String, _ provider: AuthProvider, _ text: String) -> [UInt8] {
        Array(SHA256.hash(data: Data("\(provider.rawValue) \(kind) \(text)".utf8)))
    }
}

/// The result of signing in.
package struct SignedIn: Sendable {
    package var tokens: CustomerTokens
    package var profile: CustomerProfile
    /// True if the sign-in created the customer.
    package var isNew: Bool
}

/// The reason that a person was not signed in, by the distinctions of the lightgallery document's `AuthError`; it has a text for people in
/// each language.
package enum SignInRefusal: Error, Hashable, Sendable {
    /// `oauthFailed`
    case failed(AuthProvider, Reason)
    /// `networkError`: the provider could not be asked; the app may try again.
    case unreachable(AuthProvider)
    /// The provider's account belongs to a customer other than the one who is signed in.
    case taken(AuthProvider)
    /// The signed-in customer has another account at the provider.
    case occupied(AuthProvider)

    /// The reason that a provider or we rejected a person.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case invalidCode
        case usedCode
        case denied
        case notConfigured
        case misconfigured
    }
}
