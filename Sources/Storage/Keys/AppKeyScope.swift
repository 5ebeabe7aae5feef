/// What a secret key of an app may do. Raw values are what the database keeps, and what people choose from.
package enum AppKeyScope: String, Sendable, CaseIterable {
    /// Reads what customers may use.
    case readEntitlements = "entitlements:read"
    /// Counts what customers used.
    case writeUsage = "usage:write"
    /// Reads customers, with their personal data.
    case readCustomers = "customers:read"
    /// Makes tokens with which customers call for themselves.
    case mintTokens = "tokens:mint"
    /// Claims and frees the seats of groups for members.
    case writeSeats = "seats:write"
}

extension Set<AppKeyScope> {
    /// In the order of the cases.
    package var inOrder: [AppKeyScope] { AppKeyScope.allCases.filter { contains($0) } }
}
