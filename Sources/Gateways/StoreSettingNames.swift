package import Billing

/// The names that the account of a store has in the catalogue, nil where a gateway of somebody else's knows them. Apple's have sections of
/// their own there.
package enum StoreSettingNames {
    package static func settings(of store: Store) -> [String]? {
        switch store {
        case .google:
            [
                GoogleSetting.pushAudience, GoogleSetting.pushAccount, GoogleSetting.pushSubscription,
                GoogleSetting.api, GoogleSetting.certificates,
            ]
        case .wechat:
            [
                WeChatSetting.address, WeChatSetting.payAddress, WeChatSetting.merchantID, WeChatSetting.merchantSerial,
                WeChatSetting.payPublicKeyID,
            ]
        case .alipay: [AlipaySetting.gateway, AlipaySetting.sellerID]
        case _: nil
        }
    }

    package static func secrets(of store: Store) -> [String]? {
        switch store {
        case .google: [GoogleSetting.serviceAccount]
        case .wechat:
            [
                WeChatSetting.appSecret, WeChatSetting.merchantKey, WeChatSetting.apiV3Key, WeChatSetting.payPublicKey,
                WeChatSetting.platformCertificates,
            ]
        case .alipay: [AlipaySetting.privateKey, AlipaySetting.alipayPublicKey] + AlipaySetting.certificates
        case _: nil
        }
    }
}
