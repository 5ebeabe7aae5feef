import Billing
package import Storage

extension RefundFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            status: value("status") == "all" ? nil : value("status").flatMap(Refund.Status.init(rawValue:)) ?? .pending,
            search: SearchInput.text(value("q")),
            sort: value("sort").flatMap(Sort.init(rawValue:)) ?? .deadline,
            direction: value("dir").flatMap(SortDirection.init(rawValue:))
        )
        position = try QueryText.position(in: query, kind: sort.cursorKind)
        columns = ColumnChoice(in: query, of: .refunds)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.refunds + queryText(withPosition: true).text }

    /// The filters and the order, as a saved view has them.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("q", search)
        query.add("status", status == .pending ? nil : status?.rawValue ?? "all")
        query.add("sort", sort == .deadline ? nil : sort.rawValue)
        query.add("dir", direction == sort.usualDirection ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
