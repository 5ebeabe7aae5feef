import Billing
import Foundation
import JWTKit
import Storage

/// What an access token says (RFC 7519): of which app, for which customer, by which session, until when.
struct AccessTokenClaims: JWTPayload, Hashable, RememberedClaims {
    var iss: String
    /// The app's slug.
    var aud: String
    /// The customer's id.
    var sub: String
    /// The session's id.
    var sid: String
    /// Seconds since 1970, as `exp`.
    var iat: Int64
    var exp: Int64

    static let issuer = "perennial"

    init(app slug: String, customer: Customer.ID, session: CustomerSession.ID, from start: Date, until end: Date) {
        iss = Self.issuer
        aud = slug
        sub = customer.description
        sid = session.description
        iat = Int64(bounding: start.timeIntervalSince1970.rounded(.down))
        exp = Int64(bounding: end.timeIntervalSince1970.rounded(.down))
    }

    /// The times are judged by the back office's own clock (`isCurrent`).
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    func isCurrent(at now: Date) -> Bool { iss == Self.issuer && !hasExpired(at: now) }

    func hasExpired(at now: Date) -> Bool { Int64(bounding: now.timeIntervalSince1970.rounded(.down)) >= exp }
}
