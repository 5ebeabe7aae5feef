package import Billing
import CryptoExtras

/// One app's configuration for Alipay: its signing key, and the key that Alipay's answers are verified with.
package struct AlipayConfiguration: Sendable {
    package let appID: String
    /// The app's own; Alipay knows its public half.
    let key: _RSA.Signing.PrivateKey
    /// Alipay's own, for this app.
    let alipayKey: _RSA.Signing.PublicKey
    /// The address of Alipay's gateway, with its path.
    package let gateway: String

    /// - Returns: nil for an account without keys.
    /// - Throws: `.misconfigured`, with the setting's name.
    package init?(_ account: StoreAccount) throws(GatewayError) {
        try Self.check(appID: account.identifier)
        let named = [AlipaySetting.privateKey, AlipaySetting.alipayPublicKey].contains { account.secrets[$0] != nil }
        guard named else { return nil }
        appID = account.identifier
        do {
            (key, alipayKey) = try Self.keys(account.secrets)
        } catch {
            throw error.below("secrets")
        }
        gateway = try StoreAddress.base(Self.alipay, orSetting: AlipaySetting.gateway, of: account, at: "Alipay")
    }

    static func check(appID: String) throws(GatewayError) {
        guard appID.wholeMatch(of: /[0-9]{16}/) != nil else {
            throw GatewayError(
                .misconfigured,
                "Alipay's APPID is sixteen digits, such as 2021000000000001.",
                field: "identifier"
            )
        }
    }

    static func keys(
        _ secrets: [String: Secret]
    ) throws(GatewayError) -> (_RSA.Signing.PrivateKey, _RSA.Signing.PublicKey) {
        guard let key = AlipayKeyText.privateKey(secrets[AlipaySetting.privateKey]?.revealed ?? "") else {
            throw GatewayError(
                .misconfigured,
                "The app's private key is no RSA key of 2,048 bits or more, as PEM or as base64.",
                field: AlipaySetting.privateKey
            )
        }
        guard let alipayKey = AlipayKeyText.publicKey(secrets[AlipaySetting.alipayPublicKey]?.revealed ?? "") else {
            throw GatewayError(
                .misconfigured,
                "Alipay's public key is no RSA public key of 2,048 bits or more, as PEM or as base64.",
                field: AlipaySetting.alipayPublicKey
            )
        }
        // The console shows both beside each other, and this is the mistake that everybody makes once.
        guard alipayKey.derRepresentation != key.publicKey.derRepresentation else {
            throw GatewayError(
                .misconfigured,
                "This is the app's own public key. Alipay's is another; the console shows it once the app's is saved.",
                field: AlipaySetting.alipayPublicKey
            )
        }
        return (key, alipayKey)
    }

    package static let alipay = "https://openapi.alipay.com/gateway.do"
}
