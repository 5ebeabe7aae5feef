import Billing
package import Storage

extension OrderFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            status: value("status").flatMap(OrderStatus.init(rawValue:)),
            search: SearchInput.text(value("q")),
            customer: value("customer").flatMap { Customer.ID($0) },
            sort: value("sort").flatMap(Sort.init(rawValue:)) ?? .created,
            direction: value("dir").flatMap(SortDirection.init(rawValue:)) ?? .descending
        )
        position = try QueryText.position(in: query, kind: sort.cursorKind)
        columns = ColumnChoice(in: query, of: .orders)
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
