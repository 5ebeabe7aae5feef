package import Billing

/// One app's configuration and credentials for WeChat.
package struct WeChatConfiguration: Hashable, Sendable {
    package let appID: String
    let appSecret: Secret
    /// Scheme and host of WeChat's API.
    package let address: String

    /// An app's settings for signing people in.
    ///
    /// - Returns: nil for an account without a secret.
    /// - Throws: `.misconfigured`, with the setting's name.
    package init?(_ account: StoreAccount) throws(GatewayError) {
        try Self.check(appID: account.identifier)
        guard let secret = account.secrets[WeChatSetting.appSecret] else { return nil }
        do {
            try Self.check(appSecret: secret)
        } catch {
            throw error.below("secrets")
        }
        appID = account.identifier
        appSecret = secret
        address = try StoreAddress.base(Self.wechat, orSetting: WeChatSetting.address, of: account, at: "WeChat")
    }

    static func check(appID: String) throws(GatewayError) {
        guard appID.wholeMatch(of: /wx[0-9a-zA-Z]{16}/) != nil else {
            throw GatewayError(
                .misconfigured,
                "WeChat's AppID is wx and sixteen letters and digits, such as wxd930ea5d5a258f4f.",
                field: "identifier"
            )
        }
    }

    static func check(appSecret: Secret) throws(GatewayError) {
        guard appSecret.revealed.wholeMatch(of: /[0-9a-zA-Z]{32}/) != nil else {
            throw GatewayError(
                .misconfigured,
                "WeChat's AppSecret is thirty-two letters and digits.",
                field: WeChatSetting.appSecret
            )
        }
    }

    package static let wechat = "https://api.weixin.qq.com"
}
