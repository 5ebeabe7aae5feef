/// What an app's account at Apple may say, by the names that the catalogue and the database have for it.
package enum AppleSetting {
    package static let appAppleID = "appAppleId"
    package static let issuerID = "issuerId"
    package static let keyID = "keyId"
    /// A secret: the text of `AuthKey_….p8`.
    package static let privateKey = "privateKey"
    package static let productionAPI = "production"
    package static let sandboxAPI = "sandbox"
    /// `sandbox` or `production`: how far Apple is asked about groups and seats; only in the sandbox where it is missing.
    package static let seats = "seats"

    /// A secret: what verifyReceipt wants to know of an app with subscriptions.
    package static let sharedSecret = "sharedSecret"
    package static let productionVerifyReceipt = "verifyReceipt.production"
    package static let sandboxVerifyReceipt = "verifyReceipt.sandbox"

    /// Scheme and host of Sign in with Apple; Apple's own where it is missing.
    package static let signInAddress = "id.address"
    /// Bundle ids and Services IDs, with a space between them.
    package static let clientIDs = "id.clientIds"
    package static let teamID = "id.teamId"
    package static let signInKeyID = "id.keyId"
    /// A secret: the text of the .p8 file for Sign in with Apple.
    package static let signInPrivateKey = "id.privateKey"

    /// All that is about the App Store Server API.
    package static let api = [issuerID, keyID, privateKey, productionAPI, sandboxAPI, seats]
    /// All that is about verifyReceipt.
    package static let verifyReceipt = [sharedSecret, productionVerifyReceipt, sandboxVerifyReceipt]
    /// All that is about Sign in with Apple.
    package static let signIn = [signInAddress, clientIDs, teamID, signInKeyID, signInPrivateKey]

    /// Where a setting stands in the section `apple` of a catalogue.
    package static func path(_ name: String) -> String { api.contains(name) ? "api.\(name)" : name }
}
