package import Billing

/// An app's settings for verifyReceipt: its shared secret, and the address for an app of a test store.
struct VerifyReceiptAccess: Sendable {
    let addresses: VerifyReceiptClient.Addresses

    /// - Returns: nil for an app of a test store that names no address: Apple is not asked about it.
    /// - Throws: `.misconfigured`, with the field.
    init?(_ account: StoreAccount) throws(GatewayError) {
        try Self.check(account.sharedSecret)
        let production = account.settings[AppleSetting.productionVerifyReceipt]
        let sandbox = account.settings[AppleSetting.sandboxVerifyReceipt]
        guard production != nil || sandbox != nil else {
            if account.isSimulated, account.sharedSecret == nil { return nil }
            try StoreAddress.requireRealStore(
                account,
                named: "Apple",
                field: AppleSetting.productionVerifyReceipt
            )
            addresses = .apple
            return
        }
        addresses = try VerifyReceiptClient.Addresses(
            production: try Self.required(production, AppleSetting.productionVerifyReceipt),
            sandbox: try Self.required(sandbox, AppleSetting.sandboxVerifyReceipt),
            isSimulated: account.isSimulated
        )
    }

    /// Apple's are 32 hexadecimal digits; another store's may be longer.
    private static func check(_ secret: Secret?) throws(GatewayError) {
        guard let bytes = secret?.revealed.utf8 else { return }
        guard (1...256).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw GatewayError(
                .misconfigured,
                "The shared secret is 1 to 256 letters and digits without a space.",
                field: AppleSetting.sharedSecret
            )
        }
    }

    private static func required(_ address: String?, _ name: String) throws(GatewayError) -> String {
        guard let address, !address.isEmpty else {
            throw GatewayError(
                .misconfigured,
                "verifyReceipt is asked at one address for production and one for the sandbox; \(name) is missing.",
                field: name
            )
        }
        return address
    }
}

extension StoreAccount {
    /// The app's shared secret for verifyReceipt; nil if it is not set.
    package var sharedSecret: Secret? { secrets[AppleSetting.sharedSecret] }
}
