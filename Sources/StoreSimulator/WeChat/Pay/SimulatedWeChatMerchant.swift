package import CryptoExtras

/// A merchant of the simulated WeChat Pay, as WeChat Pay knows it.
package struct SimulatedWeChatMerchant: Sendable {
    package let appID: String
    package let merchantID: String
    /// Of the merchant's certificate.
    package let serial: String
    package let key: _RSA.Signing.PublicKey
    package let apiV3Key: String

    package init(
        appID: String,
        merchantID: String,
        serial: String,
        key: _RSA.Signing.PublicKey,
        apiV3Key: String
    ) {
        self.appID = appID
        self.merchantID = merchantID
        self.serial = serial
        self.key = key
        self.apiV3Key = apiV3Key
    }
}
