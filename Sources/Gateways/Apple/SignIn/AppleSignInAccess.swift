package import Billing

extension StoreAccount {
    /// The bundle ids and Services IDs under which the app signs people in at Apple.
    package var signInClientIDs: [String] {
        (settings[AppleSetting.clientIDs] ?? "").split(separator: " ").map(String.init)
    }
}

extension AppleSignInConfiguration {
    /// An app's settings for Sign in with Apple.
    ///
    /// - Returns: nil for an account without any part of the key; the address may be set before.
    /// - Throws: `.misconfigured`, with the field, if a part of the key is missing or invalid.
    init?(_ account: StoreAccount) throws(GatewayError) {
        let names = [
            AppleSetting.clientIDs, AppleSetting.teamID, AppleSetting.signInKeyID, AppleSetting.signInPrivateKey,
        ]
        guard names.contains(where: { account.settings[$0] != nil || account.secrets[$0] != nil }) else { return nil }
        let clientIDs = account.signInClientIDs
        for id in clientIDs { try Self.check(clientID: id) }
        if account.settings[AppleSetting.signInAddress] == nil {
            try StoreAddress.requireRealStore(account, named: "Apple", field: AppleSetting.signInAddress)
        }
        do {
            try self.init(
                clientIDs: Set(clientIDs),
                teamID: account.settings[AppleSetting.teamID] ?? "",
                keyID: account.settings[AppleSetting.signInKeyID] ?? "",
                key: account.secrets[AppleSetting.signInPrivateKey] ?? Secret(""),
                address: account.settings[AppleSetting.signInAddress] ?? Self.apple,
                isSimulated: account.isSimulated
            )
        } catch {
            throw GatewayError(.misconfigured, error.message, field: Self.settings[error.field ?? ""] ?? "id")
        }
    }

    private static func check(clientID: String) throws(GatewayError) {
        let isPlain = clientID.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain, clientID.utf8.count <= 255 else {
            throw GatewayError(
                .misconfigured,
                "A client id is a bundle id or a Services ID: letters, digits, hyphens and dots.",
                field: AppleSetting.clientIDs
            )
        }
    }

    /// The account's setting, by the field that an error names.
    private static let settings = [
        "clientIds": AppleSetting.clientIDs, "teamId": AppleSetting.teamID, "keyId": AppleSetting.signInKeyID,
        "key": AppleSetting.signInPrivateKey, "id": AppleSetting.signInAddress,
    ]
}
