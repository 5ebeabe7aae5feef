/// The issuer of the access tokens of an app that has a login of its own: they are accepted like ours (product.md, decision 10).
package struct TokenIssuer: Hashable, Sendable {
    /// `iss`.
    package var issuer: String
    /// `aud`; with the issuer it says which app a token is for.
    package var audience: String
    /// The address of its public keys (RFC 7517); nil where it signs with a secret that it shares with us.
    package var keySetURL: String?
    /// A token may be signed with any of them; empty where the issuer has public keys, and where no secret can be decrypted.
    package var sharedSecrets: [Secret]
    package var algorithms: [Algorithm]
    /// The claim that holds the app's own id of the customer.
    package var claim: String
    /// The tolerated difference between its clock and ours, in seconds.
    package var leeway: Int
    /// The longest time from `iat` to `exp`, in seconds.
    package var longestLifetime: Int

    package init(
        issuer: String,
        audience: String,
        keySetURL: String? = nil,
        sharedSecrets: [Secret] = [],
        algorithms: [Algorithm],
        claim: String = "sub",
        leeway: Int = 60,
        longestLifetime: Int = 86_400
    ) {
        self.issuer = issuer
        self.audience = audience
        self.keySetURL = keySetURL
        self.sharedSecrets = sharedSecrets
        self.algorithms = algorithms
        self.claim = claim
        self.leeway = leeway
        self.longestLifetime = longestLifetime
    }

    /// A signature algorithm (RFC 7518, RFC 8037). The raw values are the names in `alg`.
    package enum Algorithm: String, Sendable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"
        case eddsa = "EdDSA"
        /// With a shared secret only: a public key must never be taken for one.
        case hs256 = "HS256"

        package static let ofKeySets: [Algorithm] = [.es256, .rs256, .eddsa]
    }

    /// Seconds.
    package static let leeways = 0...300
    package static let lifetimes = 60...604_800
    /// Bytes of a shared secret; fewer are soon guessed (RFC 7518, 3.2).
    package static let shortestSecret = 32
    /// Of one that staff upload.
    package static let longestSecret = 1_024
    /// As many uploaded secrets live at a time: the login goes over to the second before the first ends.
    package static let mostSecrets = 2
}
