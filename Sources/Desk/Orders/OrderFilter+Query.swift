import Billing
package import HTTP
package import Storage

extension OrderFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            status: query.choice("status", OrderStatus.self),
            search: SearchInput.text(query.text("q")),
            customer: query.value("customer") { Customer.ID($0) },
            sort: query.choice("sort", Sort.self) ?? .created,
            direction: query.choice("dir", SortDirection.self) ?? .descending
        )
        position = try query.position(of: sort.cursorKind)
        columns = query.columns(of: .orders)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.orders + queryText(withPosition: true).text }

    /// The filters and the order, as a saved view or an export has them.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("q", search)
        query.add("status", status?.rawValue)
        query.add("customer", customer?.description)
        query.add("sort", sort == .created ? nil : sort.rawValue)
        query.add("dir", direction == .descending ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
