import Billing
import Foundation

/// `ProductPurchaseV2`: how the purchase of something that does not renew stands (purchases.productsv2).
struct GoogleProduct: Hashable, Sendable {
    var state: State
    var orderID: GoogleOrderID?
    var purchasedAt: Date?
    /// ISO 3166-1 alpha-2.
    var region: String?
    var isAcknowledged: Bool
    var accountID: String?
    var isTest: Bool
    var items: [Item]

    /// Its state, in Google's words.
    enum State: String, Sendable, CaseIterable {
        /// Waits for its payment. Can transition to: `purchased`, `canceled`.
        case pending = "PENDING"
        /// Can transition to: `canceled` (taken back).
        case purchased = "PURCHASED"
        /// It ends there.
        case canceled = "CANCELLED"
    }

    struct Item: Hashable, Sendable {
        var productID: String
        var quantity: Int64
        /// The number that was not given back.
        var refundable: Int64?
        var isConsumed: Bool
    }

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "purchase")
        let rawState = try fields.object("purchaseStateContext", as: "state")?.string("purchaseState") ?? ""
        guard let state = State(rawValue: rawState) else {
            throw GatewayError(.malformed, "Google's state \(rawState.prefix(60)) of a purchase is not known here.")
        }
        self.state = state
        orderID = try fields.name("orderId").map(GoogleOrderID.init)
        purchasedAt = try fields.timestamp("purchaseCompletionTime")
        region = try fields.string("regionCode")
        isAcknowledged = try fields.string("acknowledgementState") == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
        accountID = try fields.string("obfuscatedExternalAccountId")
        isTest = fields.has("testPurchaseContext")
        items = try fields.list("productLineItem", of: "line item") { item throws(GatewayError) in try Item(item) }
        guard !items.isEmpty else { throw GatewayError(.missing, "Google's purchase has no item.") }
    }

    var environment: StoreEnvironment { isTest ? .sandbox : .production }
}

extension GoogleProduct.Item {
    init(_ fields: JSONFields) throws(GatewayError) {
        guard let productID = try fields.name("productId") else {
            throw GatewayError(.missing, "An item of Google's purchase has no product.")
        }
        self.productID = productID
        let details = try fields.object("productOfferDetails", as: "offer")
        quantity = max(1, try details?.int64("quantity") ?? 1)
        refundable = try details.flatMap { details throws(GatewayError) in
            details.has("refundableQuantity") ? try details.int64("refundableQuantity") : nil
        }
        isConsumed = try details?.string("consumptionState") == "CONSUMPTION_STATE_CONSUMED"
    }
}
