import Billing
package import Foundation

/// The filters of a customer's transaction history (Get Transaction History); the same for each page.
package struct AppleHistoryQuery: Hashable, Sendable {
    /// Purchased at that time or later.
    package var startDate: Date?
    /// Purchased before that time.
    package var endDate: Date?
    package var productIDs: [String]
    package var productTypes: [ProductType]
    package var sort: Sort?
    package var subscriptionGroupIdentifiers: [String]
    package var ownership: AppleTransaction.Ownership?
    /// Only those that were taken back, or only those that were not; nil for both.
    package var isRevoked: Bool?

    package init(
        from startDate: Date? = nil,
        to endDate: Date? = nil,
        productIDs: [String] = [],
        productTypes: [ProductType] = [],
        sort: Sort? = nil,
        subscriptionGroupIdentifiers: [String] = [],
        ownership: AppleTransaction.Ownership? = nil,
        isRevoked: Bool? = nil
    ) {
        self.startDate = startDate
        self.endDate = endDate
        self.productIDs = productIDs
        self.productTypes = productTypes
        self.sort = sort
        self.subscriptionGroupIdentifiers = subscriptionGroupIdentifiers
        self.ownership = ownership
        self.isRevoked = isRevoked
    }

    package enum ProductType: String, Hashable, Sendable, CaseIterable {
        case autoRenewable = "AUTO_RENEWABLE"
        case nonRenewable = "NON_RENEWABLE"
        case consumable = "CONSUMABLE"
        case nonConsumable = "NON_CONSUMABLE"
    }

    /// By when they changed last.
    package enum Sort: String, Hashable, Sendable, CaseIterable {
        case ascending = "ASCENDING"
        case descending = "DESCENDING"
    }

    /// Names that may repeat do, in their order.
    var parameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let startDate { parameters.append(("startDate", String(startDate.appleMilliseconds))) }
        if let endDate { parameters.append(("endDate", String(endDate.appleMilliseconds))) }
        parameters += productIDs.map { ("productId", $0) }
        parameters += productTypes.map { ("productType", $0.rawValue) }
        if let sort { parameters.append(("sort", sort.rawValue)) }
        parameters += subscriptionGroupIdentifiers.map { ("subscriptionGroupIdentifier", $0) }
        if let ownership { parameters.append(("inAppOwnershipType", ownership.rawValue)) }
        if let isRevoked { parameters.append(("revoked", isRevoked ? "true" : "false")) }
        return parameters
    }
}

extension Date {
    /// As Apple writes dates: whole milliseconds since 1970.
    var appleMilliseconds: Int64 { Int64(bounding: (timeIntervalSince1970 * 1_000).rounded()) }
}
