/// The reason for a renewal extension, as Apple defines it (`extendReasonCode`). The raw values are Apple's; the database keeps them.
package enum ExtensionReason: Int64, Hashable, Sendable, CaseIterable {
    case undeclared = 0
    case customerSatisfaction = 1
    case other = 2
    case outage = 3

    /// The name in the API, in forms and on the command line.
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
