package import Billing
import Postgres

/// The customers that a search text fits, for lists of what belongs to them: the newest thousand.
///
/// More than that would make a list of orders look at millions of rows; `isCut` tells, so that the page can say so.
struct MatchingCustomers {
    static let limit = 1_000

    private let search: CustomerSearch
    private let app: App.ID

    init(_ text: String, app: App.ID, seesPersonalData: Bool) {
        search = CustomerSearch(text, seesPersonalData: seesPersonalData)
        self.app = app
    }

    /// Their ids.
    var newest: Query { ids(limit: Self.limit) }

    /// True if more customers match than `newest` returns.
    func isCut(_ reader: Reader) async throws -> Bool {
        let counted = try await reader.queryPlannedForValues(
            "SELECT count(*) FROM (\(ids(limit: Self.limit + 1))) AS matching"
        )
        return try (counted.first?.decode(0, as: Int.self) ?? 0) > Self.limit
    }

    private func ids(limit: Int) -> Query {
        """
        SELECT coalesce(c.merged_into, c.id)
        FROM customers c
        WHERE c.app_id = \(app) AND \(search.condition)
        ORDER BY c.created_at DESC, c.id DESC
        LIMIT \(unsafe: String(limit))
        """
    }
}

extension Queries {
    /// True if more customers match a subscription list's search than the list looks at.
    package func isCut(_ filter: SubscriptionFilter, app: App.ID, seesPersonalData: Bool) async throws -> Bool {
        guard !filter.search.isEmpty else { return false }
        return try await MatchingCustomers(filter.search, app: app, seesPersonalData: seesPersonalData).isCut(reader)
    }

    /// The name of the customer that a list is filtered by.
    package func name(of customer: Customer.ID?, app: App.ID, seesPersonalData: Bool) async throws -> CustomerName? {
        guard let customer else { return nil }
        return try await customerName(customer, app: app, seesPersonalData: seesPersonalData)
    }
}
