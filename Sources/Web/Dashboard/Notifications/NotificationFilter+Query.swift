package import Storage

extension NotificationFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        self.init(
            state: QueryText.value(of: "state", in: query).flatMap(NotificationState.init(rawValue:)),
            position: try QueryText.position(in: query, kind: .notificationReceived)
        )
        columns = ColumnChoice(in: query, of: .notifications)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.notifications + queryText(withPosition: true).text }

    /// The filter, as a saved view has it.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("state", state?.rawValue)
        if withPosition { query.add(columns, position) }
        return query
    }
}
