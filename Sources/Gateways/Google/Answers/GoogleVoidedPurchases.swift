import Foundation

/// A page of purchases that were taken back (purchases.voidedpurchases.list).
struct GoogleVoidedPurchases: Hashable, Sendable {
    var purchases: [Purchase]
    /// The reasons for which entries could not be read, one each.
    var unreadable: [String]
    var nextToken: String?

    struct Purchase: Hashable, Sendable {
        var token: String
        var orderID: String
        var at: Date
        /// The number of items of several that were taken back; nil for all of it.
        var quantity: Int64?
    }

    init(_ json: JSON) throws(GatewayError) {
        let fields = try JSONFields(json, of: "list")
        (purchases, unreadable) = try fields.readable("voidedPurchases", of: "voided purchase") {
            entry throws(GatewayError) in try Purchase(entry)
        }
        nextToken = try fields.object("tokenPagination", as: "page")?.string("nextPageToken")
    }
}

extension GoogleVoidedPurchases.Purchase {
    fileprivate init(_ fields: JSONFields) throws(GatewayError) {
        guard let token = try fields.name("purchaseToken"), let orderID = try fields.name("orderId"),
            let at = try fields.milliseconds("voidedTimeMillis")
        else { throw GatewayError(.missing, "A voided purchase has no token, no order or no time.") }
        (self.token, self.orderID, self.at) = (token, orderID, at)
        quantity = fields.has("voidedQuantity") ? try fields.int64("voidedQuantity") : nil
    }
}
