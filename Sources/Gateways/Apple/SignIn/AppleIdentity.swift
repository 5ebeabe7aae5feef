package import Foundation

/// Who signed in, as an identity token says it.
package struct AppleIdentity: Hashable, Sendable {
    /// Names the person within the developer's team, for ever; the e-mail address does not.
    package let subject: String
    /// Which of the app's ids they signed in to.
    package let clientID: String
    package let issuedAt: Date?
    package let expiresAt: Date
    package let email: String?
    package let isEmailVerified: Bool?
    /// Whether the address is a relay of Apple's.
    package let isPrivateEmail: Bool?
    package let realUserStatus: RealUserStatus?
    package let rawRealUserStatus: Int64?
    /// Their name within the former team, while an app changes hands.
    package let transferSubject: String?
    package let authenticatedAt: Date?
    package let nonce: String?
    package let supportsNonce: Bool?

    /// What Apple thinks of whether it is a person.
    package enum RealUserStatus: Int64, Hashable, Sendable, CaseIterable {
        case unsupported = 0
        case unknown = 1
        case likelyReal = 2
    }

    init(_ claims: JWTClaims, clientID: String) throws(JWTError) {
        guard let subject = try claims.text("sub") else {
            throw JWTError(.missing, "The token does not say who signed in.", field: "sub")
        }
        guard let expiresAt = try claims.date("exp") else {
            throw JWTError(.missing, "The token has no end.", field: "exp")
        }
        self.subject = subject
        self.expiresAt = expiresAt
        self.clientID = clientID
        issuedAt = try claims.date("iat")
        email = try claims.text("email")
        isEmailVerified = try claims.flag("email_verified")
        isPrivateEmail = try claims.flag("is_private_email")
        rawRealUserStatus = try claims.integer("real_user_status")
        realUserStatus = rawRealUserStatus.flatMap(RealUserStatus.init(rawValue:))
        transferSubject = try claims.text("transfer_sub")
        authenticatedAt = try claims.date("auth_time")
        nonce = try claims.text("nonce")
        supportsNonce = try claims.flag("nonce_supported")
    }
}
