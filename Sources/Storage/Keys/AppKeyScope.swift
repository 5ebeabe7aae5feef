/// The scope of an app's secret key. The database and the forms use the raw values.
package enum AppKeyScope: String, Sendable, CaseIterable {
    /// Reads customers' entitlements.
    case readEntitlements = "entitlements:read"
    /// Counts customers' usage.
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
