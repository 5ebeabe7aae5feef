/// The settings of an app's account at Apple, by their names in the catalogue and the database.
package enum AppleSetting {
    package static let appAppleID = "appAppleId"
    package static let issuerID = "issuerId"
    package static let keyID = "keyId"
    /// A secret: the text of `AuthKey_….p8`.
    package static let privateKey = "privateKey"
    package static let productionAPI = "production"
    package static let sandboxAPI = "sandbox"
    /// `sandbox` or `production`: the environments in which Apple is asked about groups and seats; the sandbox alone if it is missing.
    package static let seats = "seats"

    /// A secret: verifyReceipt's password for an app with subscriptions.
    package static let sharedSecret = "sharedSecret"
    package static let productionVerifyReceipt = "verifyReceipt.production"
    package static let sandboxVerifyReceipt = "verifyReceipt.sandbox"

    /// Scheme and host of Sign in with Apple; Apple's own if it is missing.
    package static let signInAddress = "id.address"
    /// Bundle ids and Services IDs, with a space between them.
    package static let clientIDs = "id.clientIds"
    package static let teamID = "id.teamId"
    package static let signInKeyID = "id.keyId"
    /// A secret: the text of the .p8 file for Sign in with Apple.
    package static let signInPrivateKey = "id.privateKey"

    /// The settings of the App Store Server API.
    package static let api = [issuerID, keyID, privateKey, productionAPI, sandboxAPI, seats]
    /// The settings of verifyReceipt.
    package static let verifyReceipt = [sharedSecret, productionVerifyReceipt, sandboxVerifyReceipt]
    /// The settings of Sign in with Apple.
    package static let signIn = [signInAddress, clientIDs, teamID, signInKeyID, signInPrivateKey]

    /// The path of a setting in the section `apple` of a catalogue.
    package static func path(_ name: String) -> String { api.contains(name) ? "api.\(name)" : name }
}
