import Billing

/// An app's settings for the App Store Server API: a key of App Store Connect (Users and Access, Integrations, In-App Purchase), and the
/// API's address for an app of a test store.
struct AppleServerAccess: Sendable {
    let credentials: AppleServerCredentials
    let hosts: AppleServerHosts
    /// True if Apple is asked about groups and seats in production, too.
    let asksProductionForSeats: Bool

    /// - Returns: nil for an account without any part of the key; the address may be set before.
    /// - Throws: `.misconfigured`, with the field, if a part of the key is missing or invalid.
    init?(_ account: StoreAccount) throws(GatewayError) {
        let names = [AppleSetting.issuerID, AppleSetting.keyID, AppleSetting.privateKey]
        guard names.contains(where: { account.settings[$0] != nil || account.secrets[$0] != nil }) else { return nil }
        let issuerID = try Self.required(account.settings[AppleSetting.issuerID], AppleSetting.issuerID)
        let keyID = try Self.required(account.settings[AppleSetting.keyID], AppleSetting.keyID)
        let pem = try Self.required(account.secrets[AppleSetting.privateKey]?.revealed, AppleSetting.privateKey)
        credentials = AppleServerCredentials(
            issuerID: issuerID,
            keyID: keyID,
            key: try AppleServerKey(pem: pem),
            bundleID: account.identifier
        )
        hosts = try Self.hosts(of: account)
        switch account.settings[AppleSetting.seats] ?? "sandbox" {
        case "sandbox": asksProductionForSeats = false
        case "production": asksProductionForSeats = true
        default:
            throw GatewayError(
                .misconfigured,
                "Apple is asked about seats in the sandbox or in production.",
                field: "api.\(AppleSetting.seats)"
            )
        }
    }

    private static func hosts(of account: StoreAccount) throws(GatewayError) -> AppleServerHosts {
        let production = account.settings[AppleSetting.productionAPI]
        let sandbox = account.settings[AppleSetting.sandboxAPI]
        guard production != nil || sandbox != nil else {
            try StoreAddress.requireRealStore(account, named: "Apple", field: "api.\(AppleSetting.productionAPI)")
            return .apple
        }
        return try AppleServerHosts(
            production: try required(production, AppleSetting.productionAPI),
            sandbox: try required(sandbox, AppleSetting.sandboxAPI),
            isSimulated: account.isSimulated
        )
    }

    private static func required(_ text: String?, _ name: String) throws(GatewayError) -> String {
        guard let text, !text.isEmpty else {
            throw GatewayError(
                .misconfigured,
                "The key of the App Store Server API has an issuer id, a key id and a private key; \(name) is missing.",
                field: "api.\(name)"
            )
        }
        return text
    }
}
