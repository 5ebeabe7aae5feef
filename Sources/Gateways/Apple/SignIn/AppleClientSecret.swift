import Billing
package import Foundation

/// The app's proof of identity for Apple: a token signed with the team's key.
package enum AppleClientSecret {
    /// - Parameters:
    ///   - clientID: the same as in the request.
    ///   - lifetime: in seconds; Apple accepts six months at most.
    package static func sign(
        clientID: String,
        for app: AppleSignInConfiguration,
        at now: Date,
        lifetime: Int64 = 300
    ) throws(AppleSignInError) -> String {
        let issuedAt = Int64(bounding: now.timeIntervalSince1970.rounded(.down))
        let end = issuedAt.plus(min(max(1, lifetime), longest))
        let payload: JSON = [
            "iss": .string(app.teamID), "iat": .integer(issuedAt), "exp": .integer(end),
            "aud": .string(AppleSignInConfiguration.apple), "sub": .string(clientID),
        ]
        do {
            return try CompactJWS.sign(payload, keyID: app.keyID, key: app.key)
        } catch {
            throw AppleSignInError(error)
        }
    }

    package static let longest: Int64 = 15_777_000
}
