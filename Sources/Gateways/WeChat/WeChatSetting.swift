/// The settings of an app's account at WeChat, by their names in the catalogue and the database.
package enum WeChatSetting {
    /// Scheme and host of WeChat's API; WeChat's own if it is missing.
    package static let address = "address"
    /// A secret: the AppSecret of the app on the WeChat Open Platform.
    package static let appSecret = "appSecret"

    /// Scheme and host of WeChat Pay's API; WeChat Pay's own two where it is missing.
    package static let payAddress = "payAddress"
    /// The merchant's number at WeChat Pay (`mchid`).
    package static let merchantID = "merchantId"
    /// The serial of the merchant's API certificate.
    package static let merchantSerial = "merchantSerial"
    /// A secret: the text of `apiclient_key.pem`.
    package static let merchantKey = "merchantKey"
    /// A secret: the APIv3 key.
    package static let apiV3Key = "apiV3Key"
    /// `PUB_KEY_ID_…`, which names WeChat Pay's public key.
    package static let payPublicKeyID = "payPublicKeyId"
    /// WeChat Pay's public key, `pub_key.pem`. It is no secret, and kept beside the key as one.
    package static let payPublicKey = "payPublicKey"
    /// Platform certificates in PEM, one after the other. No secret, and kept beside the key as one; where it is missing they are asked for.
    package static let platformCertificates = "platformCertificates"

    /// All that is about WeChat Pay, but its address.
    package static let pay = [
        merchantID, merchantSerial, merchantKey, apiV3Key, payPublicKeyID, payPublicKey, platformCertificates,
    ]
}
