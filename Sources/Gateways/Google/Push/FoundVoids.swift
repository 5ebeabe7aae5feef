import Crypto
import Foundation

/// Purchases that Google says were taken back, told in the form of its pushes, so that there is one way for both.
///
/// No Google token stands beside them: whoever asked for the list signs them, with a key that this process alone has.
struct FoundVoids: Sendable {
    private let key = SymmetricKey(size: .bits256)

    /// The header that the signature stands in.
    static let header = "x-perennial-found"

    func delivery(of purchase: GoogleVoidedPurchases.Purchase, in packageName: String) -> StoreDelivery {
        let milliseconds = purchase.at.appleMilliseconds
        let notification: JSON = [
            "version": "1.0", "packageName": .string(packageName), "eventTimeMillis": .string(String(milliseconds)),
            "voidedPurchaseNotification": [
                "purchaseToken": .string(purchase.token), "orderId": .string(purchase.orderID), "productType": 0,
                "refundType": .integer(purchase.quantity == nil ? 1 : 2),
            ],
        ]
        let part = purchase.quantity.map { ":\($0)" } ?? ""
        let payload: JSON = [
            "message": [
                "data": .string(Data(notification.bytes).base64EncodedString()),
                "messageId": .string("voided:\(purchase.orderID)\(part)"),
            ]
        ]
        let text = String(decoding: payload.bytes, as: UTF8.self)
        return StoreDelivery(text, headers: [Self.header: signature(of: text)])
    }

    func signed(_ delivery: StoreDelivery) -> Bool {
        guard let text = delivery.headers[Self.header], let code = Data(base64Encoded: text) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data(delivery.payload.utf8), using: key)
    }

    private func signature(of text: String) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64EncodedString()
    }
}
