/// Why a renewal is put off, as Apple wants to know it (`extendReasonCode`). Raw values are Apple's, and what the database keeps.
package enum ExtensionReason: Int64, Hashable, Sendable, CaseIterable {
    case undeclared = 0
    case customerSatisfaction = 1
    case other = 2
    case outage = 3

    /// As the API, forms and the command line say it.
    package var name: String {
        switch self {
        case .undeclared: "UNDECLARED"
        case .customerSatisfaction: "CUSTOMER_SATISFACTION"
        case .other: "OTHER"
        case .outage: "SERVICE_ISSUE_OR_OUTAGE"
        }
    }

    package init?(name: String) {
        guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = reason
    }
}
