/// The signed parameters with which a payment is begun on the customer's device (payments.md, 1B).
enum WeChatPayInvocation {
    /// Of an official account's page or a mini program, which leaves `appId` out of its call.
    ///
    /// - Throws: `.misconfigured` where the key does not sign.
    static func page(
        _ prepayID: String,
        of merchant: WeChatPayConfiguration,
        timestamp: Int64,
        nonce: String
    ) throws(GatewayError) -> [CheckoutInvocation.Field] {
        let package = "prepay_id=\(prepayID)"
        let signature = try merchant.signer.sign(lines: [merchant.appID, "\(timestamp)", nonce, package])
        return [
            .init("appId", merchant.appID), .init("timeStamp", "\(timestamp)"), .init("nonceStr", nonce),
            .init("package", package), .init("signType", "RSA"), .init("paySign", signature),
        ]
    }

    /// Of an app with WeChat's SDK.
    ///
    /// - Throws: `.misconfigured` where the key does not sign.
    static func app(
        _ prepayID: String,
        of merchant: WeChatPayConfiguration,
        timestamp: Int64,
        nonce: String
    ) throws(GatewayError) -> [CheckoutInvocation.Field] {
        let signature = try merchant.signer.sign(lines: [merchant.appID, "\(timestamp)", nonce, prepayID])
        return [
            .init("appid", merchant.appID), .init("partnerid", merchant.merchantID), .init("prepayid", prepayID),
            .init("package", "Sign=WXPay"), .init("noncestr", nonce), .init("timestamp", "\(timestamp)"),
            .init("sign", signature),
        ]
    }
}
