import Billing
import Foundation
import Gateways

extension SimulatedBooks {
    func transactionInfo(_ id: String, _ with: Answering) throws -> StoreResponse {
        .json(["signedTransactionInfo": try signed(try entry(id), with)])
    }

    /// Everything of the customer that the parameters leave, from one place on.
    func history(of id: String, _ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse {
        let customer = try entry(id).customer
        let filter = try SimulatedHistoryFilter(request)
        let found = transactions(of: customer).filter(filter.contains)
        let page = try SimulatedPage(
            filter.isDescending ? found.reversed() : found,
            from: request,
            isDescending: filter.isDescending
        )
        return .json([
            "appAppleId": .integer(appAppleID), "bundleId": .string(bundleID),
            "environment": .string(environmentName), "hasMore": .bool(page.hasMore),
            "revision": .string(page.revision),
            "signedTransactions": .array(try page.entries.map { try signed($0, with) }),
        ])
    }

    func refunds(of id: String, _ request: SimulatedRequest, _ with: Answering) throws -> StoreResponse {
        let customer = try entry(id).customer
        let found = transactions(of: customer).filter {
            $0.payload["revocationDate"] != nil
                && !["FAMILY_REVOKE", "ASSIGNMENT_REVOKE"].contains($0.payload["revocationType"]?.string ?? "")
        }
        let page = try SimulatedPage(found, from: request)
        return .json([
            "hasMore": .bool(page.hasMore), "revision": .string(page.revision),
            "signedTransactions": .array(try page.entries.map { try signed($0, with) }),
        ])
    }

    /// One for each customer, made up from the first purchase.
    func appTransaction(of id: String, _ with: Answering) throws -> StoreResponse {
        let entry = try entry(id)
        guard let first = transactions(of: entry.customer).min(by: { $0.purchaseDate < $1.purchaseDate }) else {
            throw SimulatedRefusal(.appTransactionNotFound)
        }
        var payload: JSON = [
            "receiptType": .string(environmentName), "bundleId": .string(bundleID), "applicationVersion": "42",
            "receiptCreationDate": with.now.milliseconds, "originalPurchaseDate": first.purchaseDate.milliseconds,
            "originalApplicationVersion": "1", "deviceVerification": "c2ltdWxhdGVk",
            "deviceVerificationNonce": "48c8b92d-ce0d-4229-bedf-e61b4f9cfc92",
            "appTransactionId": .string(entry.payload["appTransactionId"]?.string ?? SimulatedAccount.id(of: first.id)),
            "originalPlatform": "iOS",
        ]
        if environment == .production { payload["appAppleId"] = .integer(appAppleID) }
        return .json(["signedAppTransactionInfo": .string(try with.signer.sign(payload))])
    }

    /// Unknown order ids are invalid, which is no error.
    func order(_ id: String, _ with: Answering) throws -> StoreResponse {
        let found = transactions.values.filter { SimulatedOrder.id(of: $0.id) == id }
        return .json([
            "status": .integer(found.isEmpty ? 1 : 0),
            "signedTransactions": .array(try found.map { try signed($0, with) }),
        ])
    }
}

/// The order that the customer sees in Apple's receipt: one for each transaction.
package enum SimulatedOrder {
    package static func id(of transactionID: String) -> String { "M\(transactionID)" }
}

/// The transactions of a history that are wanted.
private struct SimulatedHistoryFilter {
    let isDescending: Bool
    private let start: Date?
    private let end: Date?
    private let productIDs: [String]
    private let types: [String]
    private let groups: [String]
    private let ownership: String?
    private let isRevoked: Bool?

    init(_ request: SimulatedRequest) throws(SimulatedRefusal) {
        start = try Self.date(request.first("startDate"), or: .invalidStartDate)
        end = try Self.date(request.first("endDate"), or: .invalidEndDate)
        if let start, let end, start >= end { throw SimulatedRefusal(.startDateAfterEndDate) }
        switch request.first("sort") {
        case nil, "ASCENDING": isDescending = false
        case "DESCENDING": isDescending = true
        default: throw SimulatedRefusal(.invalidSort)
        }
        productIDs = request.all("productId")
        guard !productIDs.contains("") else { throw SimulatedRefusal(.invalidProductID) }
        groups = request.all("subscriptionGroupIdentifier")
        guard !groups.contains("") else { throw SimulatedRefusal(.invalidSubscriptionGroupIdentifier) }
        var types: [String] = []
        for name in request.all("productType") {
            guard let type = Self.types[name] else { throw SimulatedRefusal(.invalidProductType) }
            types.append(type)
        }
        self.types = types
        ownership = request.first("inAppOwnershipType")
        guard ownership.map({ ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"].contains($0) }) ?? true else {
            throw SimulatedRefusal(.invalidInAppOwnershipType)
        }
        // Python writes its own True and False.
        switch request.first("revoked")?.lowercased() {
        case nil: isRevoked = nil
        case "true": isRevoked = true
        case "false": isRevoked = false
        default: throw SimulatedRefusal(.invalidRevoked)
        }
    }

    func contains(_ entry: SimulatedBooks.Entry) -> Bool {
        if let start, entry.purchaseDate < start { return false }
        if let end, entry.purchaseDate >= end { return false }
        func isOne(of wanted: [String], _ member: String) -> Bool {
            wanted.isEmpty || wanted.contains(entry.payload[member]?.string ?? "")
        }
        return isOne(of: productIDs, "productId") && isOne(of: types, "type")
            && isOne(of: groups, "subscriptionGroupIdentifier")
            && isOne(of: ownership.map { [$0] } ?? [], "inAppOwnershipType")
            && (isRevoked.map { $0 == (entry.payload["revocationDate"] != nil) } ?? true)
    }

    private static func date(_ text: String?, or code: AppleErrorCode) throws(SimulatedRefusal) -> Date? {
        guard let text else { return nil }
        guard let date = Int64(text).map({ JSON.integer($0) })?.date else { throw SimulatedRefusal(code) }
        return date
    }

    private static let types = [
        "AUTO_RENEWABLE": "Auto-Renewable Subscription", "NON_RENEWABLE": "Non-Renewing Subscription",
        "CONSUMABLE": "Consumable", "NON_CONSUMABLE": "Non-Consumable",
    ]
}
