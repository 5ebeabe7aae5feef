package import Billing
import CryptoExtras

/// One app's configuration for Alipay: its signing key, and the key that Alipay's answers are verified with.
package struct AlipayConfiguration: Sendable {
    package let appID: String
    let keys: AlipayKeys
    /// The address of Alipay's gateway, with its path.
    package let gateway: String
    /// The merchant; nil for an app that only signs people in.
    package let sellerID: String?
    /// An app of a test store, which may be told of addresses without https.
    let isSimulated: Bool

    /// The app's own; Alipay knows its public half.
    var key: _RSA.Signing.PrivateKey { keys.key }

    /// - Returns: nil for an account without keys.
    /// - Throws: `.misconfigured`, with the setting's name.
    package init?(_ account: StoreAccount) throws(GatewayError) {
        try Self.check(appID: account.identifier)
        sellerID = account.settings[AlipaySetting.sellerID]
        if let sellerID { try Self.check(sellerID: sellerID) }
        guard AlipayKeys.areNamed(by: account.secrets) else { return nil }
        appID = account.identifier
        isSimulated = account.isSimulated
        do {
            keys = try AlipayKeys(account.secrets)
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

    static func check(sellerID: String) throws(GatewayError) {
        guard sellerID.wholeMatch(of: /2088[0-9]{12}/) != nil else {
            throw GatewayError(
                .misconfigured,
                "The seller's id at Alipay (PID) is sixteen digits that begin with 2088.",
                field: "settings.\(AlipaySetting.sellerID)"
            )
        }
    }

    package static let alipay = "https://openapi.alipay.com/gateway.do"
}
