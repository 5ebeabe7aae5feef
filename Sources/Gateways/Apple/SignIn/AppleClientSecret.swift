import Billing
package import Foundation

/// What proves to Apple that it is the app that asks: a token signed with the team's key.
package enum AppleClientSecret {
    /// - Parameters:
    ///   - clientID: the same as in the question.
    ///   - lifetime: in seconds; Apple takes no more than six months.
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
