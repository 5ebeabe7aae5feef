import Foundation

@testable import Gateways

/// A notification as Apple would send it, which a test can spoil before it is signed.
struct TestNotification {
    static let now = Date(timeIntervalSince1970: 1_750_000_000)
    static let bundleID = "com.example"
    static let appAppleID: Int64 = 1_234

    var transaction: JSON? = Self.honestTransaction
    var renewal: JSON? = Self.honestRenewal
    var data: JSON = [
        "appAppleId": .integer(appAppleID), "bundleId": .string(bundleID), "bundleVersion": "1",
        "environment": "Production", "status": 1,
    ]
    var payload: JSON = [
        "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY",
        "notificationUUID": "002E14D5-51F5-4503-B5A8-C3A1AF68EB20", "version": "2.0",
        "signedDate": 1_750_000_000_000,
    ]
    var bodyName = "data"

    /// Returns the outer token; the same chain signs the inner ones unless another is named.
    func signed(by chain: TestChain, inner: TestChain? = nil) throws -> String {
        var data = data
        let innerChain = inner ?? chain
        if let transaction { data["signedTransactionInfo"] = .string(try innerChain.sign(transaction)) }
        if let renewal { data["signedRenewalInfo"] = .string(try innerChain.sign(renewal)) }
        var payload = payload
        payload[bodyName] = data
        return try chain.sign(payload)
    }

    func of(_ type: String, _ subtype: String?) -> TestNotification {
        var copy = self
        copy.payload["notificationType"] = .string(type)
        copy.payload["subtype"] = subtype.map { .string($0) }
        return copy
    }

    static let honestTransaction: JSON = [
        "transactionId": "300000000000001", "originalTransactionId": "300000000000000",
        "webOrderLineItemId": "300000000000009", "bundleId": .string(bundleID),
        "productId": "com.example.pro.monthly", "subscriptionGroupIdentifier": "group",
        "purchaseDate": 1_750_000_000_000, "originalPurchaseDate": 1_740_000_000_000,
        "expiresDate": 1_752_592_000_000, "quantity": 1, "type": "Auto-Renewable Subscription",
        "appAccountToken": "7e3fb204-2eb0-4a5e-9a57-5d3c3f0e4f10", "inAppOwnershipType": "PURCHASED",
        "signedDate": 1_750_000_000_000, "environment": "Production", "transactionReason": "PURCHASE",
        "storefront": "CHN", "storefrontId": "143465", "price": 18_000, "currency": "CNY",
    ]

    static let honestRenewal: JSON = [
        "originalTransactionId": "300000000000000", "productId": "com.example.pro.monthly",
        "autoRenewProductId": "com.example.pro.monthly", "autoRenewStatus": 1,
        "renewalDate": 1_752_592_000_000, "renewalPrice": 18_000, "currency": "CNY",
        "signedDate": 1_750_000_000_000, "environment": "Production",
    ]
}

extension AppleConfiguration {
    static func test(
        anchors: [DER],
        bundleID: String = TestNotification.bundleID,
        appAppleID: Int64? = TestNotification.appAppleID,
        acceptsSandbox: Bool = true
    ) throws -> AppleConfiguration {
        try AppleConfiguration(
            bundleID: bundleID,
            appAppleID: appAppleID,
            mode: .simulator(anchors: anchors),
            acceptsSandbox: acceptsSandbox
        )
    }
}
