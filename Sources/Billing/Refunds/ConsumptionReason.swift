/// A customer's reason for asking their store for a refund, as the store reports it (Apple `consumptionRequestReason`). The raw values are
/// Apple's; the database keeps them.
package enum ConsumptionReason: String, Hashable, Sendable, Codable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"

    /// An unknown value is `other`.
    package init(word: String) {
        self = ConsumptionReason(rawValue: word) ?? .other
    }
}
