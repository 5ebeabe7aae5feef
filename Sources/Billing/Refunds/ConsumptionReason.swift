/// Why a customer asked their store for a refund, as the store tells (Apple `consumptionRequestReason`). Raw values are Apple's, and
/// what the database keeps.
package enum ConsumptionReason: String, Hashable, Sendable, Codable, CaseIterable {
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    case unsatisfied = "UNSATISFIED_WITH_PURCHASE"
    case legal = "LEGAL"
    case other = "OTHER"

    /// A word that is not known here is another reason.
    package init(word: String) {
        self = ConsumptionReason(rawValue: word) ?? .other
    }
}
