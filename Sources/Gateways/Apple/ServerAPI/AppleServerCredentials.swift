import Billing
package import Foundation

/// The credentials of an app's requests to Apple: shown in App Store Connect under Users and Access, Integrations, In-App Purchase.
package struct AppleServerCredentials: Sendable {
    package var issuerID: String
    package var keyID: String
    package var key: AppleServerKey
    package var bundleID: String

    package init(issuerID: String, keyID: String, key: AppleServerKey, bundleID: String) {
        self.issuerID = issuerID
        self.keyID = keyID
        self.key = key
        self.bundleID = bundleID
    }

    /// The bearer token of one request: a JWT that Apple takes for five minutes.
    ///
    /// Apple wants a new one for each request; signing one costs less than a tenth of a millisecond.
    package func bearerToken(at now: Date) throws(GatewayError) -> String {
        let issuedAt = Int64(bounding: now.timeIntervalSince1970)
        let claims: JSON = [
            "iss": .string(issuerID), "iat": .integer(issuedAt),
            "exp": .integer(issuedAt.plus(Self.lifetime)),
            "aud": "appstoreconnect-v1", "bid": .string(bundleID),
        ]
        return try key.sign(claims, keyID: keyID)
    }

    /// In seconds.
    private static let lifetime: Int64 = 300
}
