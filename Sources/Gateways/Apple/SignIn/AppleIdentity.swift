package import Foundation

/// A person's identity by their identity token.
package struct AppleIdentity: Hashable, Sendable {
    /// The person's permanent id within the developer's team; the e-mail address can change.
    package let subject: String
    /// The client id of the app that they signed in to.
    package let clientID: String
    package let issuedAt: Date?
    package let expiresAt: Date
    package let email: String?
    package let isEmailVerified: Bool?
    /// True if the address is one of Apple's relays.
    package let isPrivateEmail: Bool?
    package let realUserStatus: RealUserStatus?
    package let rawRealUserStatus: Int64?
    /// Their id within the former team, while an app is being transferred.
    package let transferSubject: String?
    package let authenticatedAt: Date?
    package let nonce: String?
    package let supportsNonce: Bool?

    /// Apple's assessment of whether it is a real person.
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
