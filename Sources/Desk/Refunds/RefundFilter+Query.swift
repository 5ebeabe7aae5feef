import Billing
package import HTTP
package import Storage

extension RefundFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            status: query.text("status") == "all"
                ? nil : query.choice("status", Refund.Status.self) ?? .pending,
            opener: query.choice("opener", Opener.self),
            search: SearchInput.text(query.text("q")),
            sort: query.choice("sort", Sort.self) ?? .deadline,
            direction: query.choice("dir", SortDirection.self)
        )
        position = try query.position(of: sort.cursorKind)
        columns = query.columns(of: .refunds)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.refunds + queryText(withPosition: true).text }

    /// The filters and the order, as a saved view has them.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("q", search)
        query.add("status", status == .pending ? nil : status?.rawValue ?? "all")
        query.add("opener", opener?.rawValue)
        query.add("sort", sort == .deadline ? nil : sort.rawValue)
        query.add("dir", direction == sort.usualDirection ? nil : direction.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
