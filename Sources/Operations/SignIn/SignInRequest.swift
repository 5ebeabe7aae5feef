package import Billing
import Crypto
import Foundation
import Gateways
package import Storage

/// What an app sends of a customer who has signed in at a provider.
package struct SignInRequest: Sendable {
    package var provider: AuthProvider
    /// WeChat's `code`, Alipay's `auth_code`, Apple's authorization code.
    package var code: Secret?
    /// Apple's JWT.
    package var identityToken: Secret?
    /// What the app gave to Apple, or what that is the SHA-256 of.
    package var nonce: String?
    /// Only where the authorization had one (Apple's pages).
    package var redirectURI: String?
    /// Which of the app's client ids an authorization code of Apple is for.
    package var clientID: String?
    /// Apple tells a name to the device alone, and the first time only.
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

/// What came of it.
package struct SignedIn: Sendable {
    package var tokens: CustomerTokens
    package var profile: CustomerProfile
    /// Whether the customer was made by it.
    package var isNew: Bool
}

/// Why somebody was not signed in, as the lightgallery document's `AuthError` tells it apart; for people it has words
/// in each language.
package enum SignInRefusal: Error, Hashable, Sendable {
    /// `oauthFailed`
    case failed(AuthProvider, Reason)
    /// `networkError`: the provider could not be asked; to be tried again.
    case unreachable(AuthProvider)
    /// The provider's account belongs to another customer than the one who is signed in.
    case taken(AuthProvider)
    /// The customer who is signed in has another account at the provider.
    case occupied(AuthProvider)

    /// Why a provider or we turned somebody down.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        case invalidCode
        case usedCode
        case denied
        case notConfigured
        case misconfigured
    }
}
