import Billing
import Foundation
import Gateways
import Storage

/// The claims of an access token (RFC 7519): its app, its customer, its session and its expiry.
struct AccessTokenClaims: Hashable, RememberedClaims {
    /// The app's slug.
    let aud: String
    /// The customer's id.
    let sub: String
    /// The session's id.
    let sid: String
    /// In seconds since 1970, like `exp`.
    let iat: Int64
    let exp: Int64

    static let issuer = "perennial"

    init(app slug: String, customer: Customer.ID, session: CustomerSession.ID, from start: Date, until end: Date) {
        aud = slug
        sub = customer.description
        sid = session.description
        iat = Int64(bounding: start.timeIntervalSince1970.rounded(.down))
        exp = Int64(bounding: end.timeIntervalSince1970.rounded(.down))
    }

    /// - Throws: `.missing` where one is not there.
    init(_ claims: JWTClaims) throws(JWTError) {
        guard let aud = try claims.audiences().first, let sub = try claims.text("sub"),
            let sid = try claims.text("sid"), let start = try claims.date("iat"), let end = try claims.date("exp")
        else { throw JWTError(.missing, "The token does not say whose it is.") }
        self.aud = aud
        self.sub = sub
        self.sid = sid
        iat = Int64(bounding: start.timeIntervalSince1970.rounded(.down))
        exp = Int64(bounding: end.timeIntervalSince1970.rounded(.down))
    }

    /// The claims to sign.
    var json: JSON {
        [
            "iss": .string(Self.issuer), "aud": .string(aud), "sub": .string(sub), "sid": .string(sid),
            "iat": .integer(iat), "exp": .integer(exp),
        ]
    }

    func isCurrent(at now: Date) -> Bool { Int64(bounding: now.timeIntervalSince1970.rounded(.down)) < exp }
}
