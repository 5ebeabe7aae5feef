import Billing
package import Storage

extension CustomerFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            search: SearchInput.text(value("q")),
            plan: value("plan").flatMap(PlanNow.init(text:)),
            store: value("store").flatMap(Store.init(rawValue:)),
            environment: value("environment") == Self.everywhere
                ? nil : value("environment").flatMap(StoreEnvironment.init(rawValue:)) ?? .production,
            hasRefunds: value("refunds") == "yes",
            from: value("from").flatMap { BusinessDay($0) },
            to: value("to").flatMap { BusinessDay($0) },
            direction: value("dir").flatMap(SortDirection.init(rawValue:)) ?? .descending
        )
        position = try QueryText.position(in: query, kind: .customerCreated)
        columns = ColumnChoice(in: query, of: .customers)
    }

    /// What stands in an address for production and the sandbox.
    static let everywhere = "all"

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.customers + queryText(withPosition: true).text }

    /// The filters and the order, as a saved view or an export has them.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("q", search)
        query.add("plan", plan?.text)
        query.add("store", store?.rawValue)
        query.add("environment", environment == .production ? nil : environment?.rawValue ?? Self.everywhere)
        query.add("refunds", hasRefunds ? "yes" : nil)
        query.add("from", from?.description)
        query.add("to", to?.description)
        query.add("dir", direction == .descending ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}

extension CustomerFilter.PlanNow {
    /// `none` stands for no plan; a plan of that very code would be `=none`.
    init?(text: String) {
        guard !text.isEmpty, text.utf8.count <= 100 else { return nil }
        self = text == "none" ? .noAccess : .plan(code: text.hasPrefix("=") ? String(text.dropFirst()) : text)
    }

    var text: String {
        switch self {
        case .noAccess: "none"
        case .plan(let code): code == "none" || code.hasPrefix("=") ? "=\(code)" : code
        }
    }
}
