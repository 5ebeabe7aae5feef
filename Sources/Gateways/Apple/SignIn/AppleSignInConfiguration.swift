package import Billing
import Crypto

/// One app's configuration and credentials for Apple's sign-in.
package struct AppleSignInConfiguration: Sendable {
    /// The bundle ids of apps, and the Services IDs of web pages, whose tokens are accepted.
    package let clientIDs: Set<String>
    package let teamID: String
    package let keyID: String
    let key: P256.Signing.PrivateKey
    /// Scheme and host of Apple's sign-in.
    package let address: String

    /// - Parameters:
    ///   - key: the text of the .p8 file for Sign in with Apple.
    ///   - isSimulated: true for an app of a test store; only then may the address be plain http.
    /// - Throws: `.misconfigured` naming the setting.
    package init(
        clientIDs: Set<String>,
        teamID: String,
        keyID: String,
        key: Secret,
        address: String = Self.apple,
        isSimulated: Bool = false
    ) throws(AppleSignInError) {
        guard !clientIDs.isEmpty, !clientIDs.contains("") else {
            throw AppleSignInError(.misconfigured, "Sign in with Apple needs a client id.", field: "clientIds")
        }
        guard !teamID.isEmpty else {
            throw AppleSignInError(.misconfigured, "Sign in with Apple needs the team's id.", field: "teamId")
        }
        guard !keyID.isEmpty else {
            throw AppleSignInError(.misconfigured, "Sign in with Apple needs the key's id.", field: "keyId")
        }
        do {
            self.key = try P256.Signing.PrivateKey(pemRepresentation: key.revealed)
        } catch {
            throw AppleSignInError(
                .misconfigured,
                "The key for Sign in with Apple is not a .p8 file's text.",
                field: "key"
            )
        }
        self.clientIDs = clientIDs
        self.teamID = teamID
        self.keyID = keyID
        do {
            self.address = try StoreAddress.base(
                address,
                isSimulated: isSimulated,
                of: "Sign in with Apple",
                field: "id"
            )
        } catch {
            throw AppleSignInError(error)
        }
    }

    package static let apple = "https://appleid.apple.com"
}
