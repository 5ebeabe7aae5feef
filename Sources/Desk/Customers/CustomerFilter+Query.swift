import Billing
package import HTTP
package import Storage

extension CustomerFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            search: SearchInput.text(query.text("q")),
            plan: query.value("plan", PlanNow.init(text:)),
            store: query.store("store"),
            environment: query.value("environment", Self.environment(named:)) ?? .production,
            hasRefunds: query.isYes("refunds"),
            given: query.choice("given", Given.self),
            from: query.day("from"),
            to: query.day("to"),
            direction: query.choice("dir", SortDirection.self) ?? .descending
        )
        position = try query.position(of: .customerCreated)
        columns = query.columns(of: .customers)
    }

    /// The word in an address for production and the sandbox together.
    static let everywhere = "ALL"

    /// nil for what is none, and nil within for both.
    private static func environment(named text: String) -> StoreEnvironment?? {
        if text == everywhere { return .some(nil) }
        return StoreEnvironment(name: text).map { .some($0) }
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.customers + queryText(withPosition: true).text }

    /// The filters and the order, as a saved view or an export has them.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("q", search)
        query.add("plan", plan?.text)
        query.add("store", store?.rawValue)
        query.add("environment", environment == .production ? nil : environment?.name ?? Self.everywhere)
        query.add("refunds", hasRefunds ? "yes" : nil)
        query.add("given", given?.rawValue)
        query.add("from", from?.description)
        query.add("to", to?.description)
        query.add("dir", direction == .descending ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
