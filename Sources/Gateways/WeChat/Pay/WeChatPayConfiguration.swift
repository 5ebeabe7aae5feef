package import Billing
import CryptoExtras
import Foundation

/// An app's merchant at WeChat Pay: its signing key, and the keys that it verifies WeChat Pay's signatures with.
package struct WeChatPayConfiguration: Sendable {
    package let appID: String
    package let merchantID: String
    let signer: WeChatPaySigner
    let cipher: WeChatPayCipher
    /// nil in certificate mode.
    let publicKey: PublicKey?
    /// Those that the account names; others are asked for.
    let certificates: [WeChatPayCertificate]
    /// Scheme and host, in the order in which they are tried.
    let addresses: [String]

    /// WeChat Pay's public key, and the id by which it is named.
    struct PublicKey: Sendable {
        let id: WeChatPaySerial
        let key: _RSA.Signing.PublicKey
    }

    /// The settings of an app's account for WeChat Pay.
    ///
    /// - Returns: nil for an account that says nothing of it.
    /// - Throws: `.misconfigured`, with the setting's name.
    package init?(_ account: StoreAccount) throws(GatewayError) {
        guard Self.isNamed(by: account) else { return nil }
        try WeChatConfiguration.check(appID: account.identifier)
        appID = account.identifier
        let parts: Parts
        do {
            parts = try Parts(settings: account.settings, secrets: account.secrets)
        } catch {
            throw error.below(Self.key.secrets.contains(error.field ?? "") ? "secrets" : "settings")
        }
        merchantID = parts.merchantID
        signer = WeChatPaySigner(merchantID: parts.merchantID, serial: parts.merchantSerial, key: parts.key)
        cipher = WeChatPayCipher(apiV3Key: parts.apiV3Key)
        publicKey = parts.publicKey
        certificates = parts.certificates
        let own = account.settings[WeChatSetting.payAddress] != nil
        let first = try StoreAddress.base(
            Self.address,
            orSetting: WeChatSetting.payAddress,
            of: account,
            at: "WeChat Pay"
        )
        addresses = own ? [first] : [first, Self.standbyAddress]
    }

    /// True if an account says anything of WeChat Pay.
    static func isNamed(by account: StoreAccount) -> Bool {
        WeChatSetting.pay.contains { account.settings[$0] != nil || account.secrets[$0] != nil }
    }

    /// Refuses a key as it is entered.
    ///
    /// - Throws: `.misconfigured`, with the setting's name; also for a certificate that has ended.
    static func check(_ key: StoreKey, at now: Date) throws(GatewayError) {
        let parts = try Parts(settings: key.settings, secrets: key.secrets)
        guard parts.certificates.allSatisfy({ $0.end > now }) else {
            throw GatewayError(
                .misconfigured,
                "A platform certificate has ended; WeChat Pay signs with a newer one.",
                field: WeChatSetting.platformCertificates
            )
        }
    }

    static let key = StoreKeyShape(
        .api,
        settings: [WeChatSetting.merchantID, WeChatSetting.merchantSerial, WeChatSetting.payPublicKeyID],
        secrets: [
            WeChatSetting.merchantKey, WeChatSetting.apiV3Key, WeChatSetting.payPublicKey,
            WeChatSetting.platformCertificates,
        ],
        optional: [WeChatSetting.payPublicKeyID, WeChatSetting.payPublicKey, WeChatSetting.platformCertificates],
        isNeeded: false
    )

    /// WeChat Pay's own, and the one that is asked where that is down.
    package static let address = "https://api.mch.weixin.qq.com"
    package static let standbyAddress = "https://api2.mch.weixin.qq.com"
}
