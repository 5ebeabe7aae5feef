import Billing
import Foundation
import Gateways

/// A purchase that is ordered in the simulated App Store: of any type, also paid for month by month.
struct SimulatedPurchase: Sendable {
    var productID: String
    var type: AppleTransaction.ProductType
    /// Thousandths of the currency's unit; of a commitment those of one month.
    var price: Int64
    var currency: String
    var quantity: Int64
    /// Of a period; of an auto-renewable subscription alone.
    var days: Int64
    /// The periods that are bought together; nil for a product that is paid for at once.
    var periods: Int64?
    var appAccountToken: UUID?
    var isFamilyShared: Bool

    /// The member that is missing or not known.
    struct Misunderstood: Error {
        let name: String
    }

    init(_ body: JSON) throws(Misunderstood) {
        guard let productID = body["productId"]?.string, !productID.isEmpty else {
            throw Misunderstood(name: "productId")
        }
        let typeName = body["type"]?.string ?? AppleTransaction.ProductType.autoRenewable.rawValue
        guard let type = AppleTransaction.ProductType(rawValue: typeName) else { throw Misunderstood(name: "type") }
        func number(_ name: String, _ range: ClosedRange<Int64>, preset: Int64) throws(Misunderstood) -> Int64 {
            guard let given = body[name] else { return preset }
            guard let number = given.integer, range.contains(number) else { throw Misunderstood(name: name) }
            return number
        }
        price = try number("price", 0...1_000_000_000, preset: 9_990)
        quantity = try number("quantity", 1...10, preset: 1)
        days = try number("days", 1...366, preset: 30)
        if body["periods"] != nil { periods = try number("periods", 2...100, preset: 12) }
        if periods != nil, type != .autoRenewable { throw Misunderstood(name: "periods") }
        currency = body["currency"]?.string ?? "USD"
        if let token = body["appAccountToken"] {
            guard let token = token.string.flatMap(UUID.init(uuidString:)) else {
                throw Misunderstood(name: "appAccountToken")
            }
            appAccountToken = token
        }
        isFamilyShared = body["familyShared"]?.bool ?? false
        (self.productID, self.type) = (productID, type)
    }

    /// One of a period of thirty days, unless it is owned for ever.
    init(
        of productID: String,
        type: AppleTransaction.ProductType,
        price: Int64,
        currency: String,
        appAccountToken: UUID?
    ) {
        (self.productID, self.type, self.price, self.currency) = (productID, type, price, currency)
        (quantity, days, isFamilyShared, self.appAccountToken) = (1, 30, false, appAccountToken)
    }

    /// The first transaction.
    func transaction(_ id: String, of books: SimulatedBooks, at now: Date) -> JSON {
        var transaction: JSON = [
            "transactionId": .string(id), "originalTransactionId": .string(id), "webOrderLineItemId": .string("9" + id),
            "appTransactionId": .string(SimulatedAccount.id(of: id)), "bundleId": .string(books.bundleID),
            "productId": .string(productID), "purchaseDate": now.milliseconds, "originalPurchaseDate": now.milliseconds,
            "quantity": .integer(quantity), "type": .string(type.rawValue),
            "inAppOwnershipType": isFamilyShared ? "FAMILY_SHARED" : "PURCHASED", "signedDate": now.milliseconds,
            "environment": .string(books.environmentName), "transactionReason": "PURCHASE", "storefront": "USA",
            "storefrontId": "143441", "price": .integer(price), "currency": .string(currency),
        ]
        transaction["appAccountToken"] = appAccountToken.map { .string($0.uuidString.lowercased()) }
        guard type == .autoRenewable else { return transaction }
        transaction["subscriptionGroupIdentifier"] = "simulated"
        transaction["expiresDate"] = now.addingTimeInterval(Double(days) * 86_400).milliseconds
        guard let periods else { return transaction }
        transaction["billingPlanType"] = "MONTHLY"
        transaction["commitmentInfo"] = [
            "billingPeriodNumber": 1, "totalBillingPeriods": .integer(periods),
            "commitmentExpiresDate": now.addingTimeInterval(Double(days) * Double(periods) * 86_400).milliseconds,
            "commitmentPrice": .integer(price * periods),  // safe: both are bounded
        ]
        return transaction
    }
}
