import Crypto
import Foundation

/// The private key of a team's App Store Server API key (`AuthKey_….p8`). It signs, and cannot be printed.
package struct AppleServerKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let key: P256.Signing.PrivateKey

    /// - Parameter pem: the file as App Store Connect gives it: PKCS #8, P-256.
    /// - Throws: `.misconfigured`.
    package init(pem: String) throws(GatewayError) {
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            // Not with its cause: parsers quote what they read.
            throw GatewayError(.misconfigured, "The private key is not a P-256 key in PEM.", field: "api.privateKey")
        }
    }

    /// A JWT of the claims.
    func sign(_ claims: JSON, keyID: String) throws(GatewayError) -> String {
        do {
            return try CompactJWS.sign(claims, keyID: keyID, key: key)
        } catch {
            throw GatewayError(.misconfigured, "The private key cannot sign.", field: "api.privateKey")
        }
    }

    package var description: String { "AppleServerKey" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
