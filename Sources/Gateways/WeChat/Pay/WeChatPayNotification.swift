package import Billing
package import Foundation

/// A message that WeChat Pay has signed and encrypted for this merchant. It is a hint: the query is the truth.
package struct WeChatPayNotification: Sendable {
    /// WeChat Pay's own id of it, the same on every delivery.
    package let id: String
    /// WeChat Pay's word: TRANSACTION.SUCCESS, REFUND.ABNORMAL.
    package let type: String
    package let createdAt: Date?
    package let content: Content

    package enum Content: Hashable, Sendable {
        case payment(StorePayment)
        case refund(StoreRefundNotice)
        /// Nothing that is known here.
        case ignored
    }

    /// - Parameter body: as it came; the signature is over its bytes.
    /// - Throws: what failed first: signature, decryption, merchant and app (`.wrongApp`), content.
    init(
        _ body: [UInt8],
        headers: [String: String],
        for merchant: WeChatPayConfiguration,
        by keys: WeChatPayKeys,
        at now: Date
    ) async throws(GatewayError) {
        let signature = try WeChatPaySignature(headers, body, at: now)
        try signature.verify(by: try await keys.key(of: signature.serial, at: now))
        let fields = try JSONFields(try JSON(parsingUnique: body), of: "notification")
        id = try fields.requiredNumber("id")
        type = try fields.requiredNumber("event_type")
        createdAt = fields.unneeded { fields throws(GatewayError) in try fields.moment("create_time") }
        guard let resource = fields.value("resource") else {
            throw GatewayError(.missing, "The member resource is missing.")
        }
        let plain = try JSON(parsingUnique: try merchant.cipher.open(try WeChatPayCipher.Sealed(resource)))
        content = try Self.content(plain, of: type, for: merchant)
    }

    private static func content(
        _ json: JSON,
        of type: String,
        for merchant: WeChatPayConfiguration
    ) throws(GatewayError) -> Content {
        guard json["mchid"]?.string == merchant.merchantID else {
            throw GatewayError(.wrongApp, "The notification is for another merchant.", field: "mchid")
        }
        switch type {
        case "TRANSACTION.SUCCESS":
            guard json["appid"]?.string == merchant.appID else {
                throw GatewayError(.wrongApp, "The notification is for another app of the merchant.", field: "appid")
            }
            guard case .paid(let payment) = try WeChatPayTransaction(json).standing else { return .ignored }
            return .payment(payment)
        case "REFUND.SUCCESS", "REFUND.ABNORMAL", "REFUND.CLOSED":
            let refund = try WeChatPayRefund(json, state: "refund_status")
            return .refund(
                StoreRefundNotice(
                    orderNumber: refund.orderNumber,
                    transactionID: refund.transactionID,
                    number: refund.number,
                    merchantID: merchant.merchantID,
                    standing: refund.standing
                )
            )
        default: return .ignored
        }
    }

    /// The answer, with 200 and within five seconds, to a notification that was taken in.
    package static let taken = #"{"code":"SUCCESS","message":"成功"}"#
    /// The same to one that was not, with 4xx or 5xx; WeChat Pay sends it again.
    package static let notTaken = #"{"code":"FAIL","message":"失败"}"#
}

extension WeChatPay {
    /// Reads a delivery.
    ///
    /// - Throws: what failed first: signature, decryption, merchant and app, content.
    package func notification(
        _ delivery: StoreDelivery,
        at now: Date
    ) async throws(GatewayError) -> WeChatPayNotification {
        try await WeChatPayNotification(
            Array(delivery.payload.utf8),
            headers: delivery.headers,
            for: merchant,
            by: client.keys,
            at: now
        )
    }
}
