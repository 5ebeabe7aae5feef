import Foundation
import Gateways

/// An Apple Account of the simulated store.
package struct SimulatedAppleAccount: Hashable, Sendable {
    /// The account's id within the developer's team.
    package var subject: String
    package var email: String?
    package var isPrivateEmail: Bool

    package init(subject: String, email: String? = nil, isPrivateEmail: Bool = false) {
        self.subject = subject
        self.email = email
        self.isPrivateEmail = isPrivateEmail
    }

    /// Returns the claims of an identity token. Flags are texts, as Apple has written them for years.
    func claims(for clientID: String, at now: Date) -> JSON {
        let seconds = Int64(now.timeIntervalSince1970)
        var claims: JSON = [
            "iss": .string(AppleSignInConfiguration.apple), "aud": .string(clientID), "exp": .integer(seconds + 86_400),
            "iat": .integer(seconds), "sub": .string(subject), "auth_time": .integer(seconds), "real_user_status": 2,
        ]
        if let email {
            claims["email"] = .string(email)
            claims["email_verified"] = "true"
            claims["is_private_email"] = isPrivateEmail ? "true" : "false"
        }
        return claims
    }
}
