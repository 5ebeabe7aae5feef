import Billing
package import HTTP
package import Storage

extension NotificationFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            state: query.choice("state", NotificationState.self),
            reconciliation: query.value("sync") { Reconciliation.ID($0) },
            position: try query.position(of: .notificationReceived)
        )
        columns = query.columns(of: .notifications)
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.notifications + queryText(withPosition: true).text }

    /// The filter, as a saved view has it.
    func queryText(withPosition: Bool) -> QueryText {
        var query = QueryText()
        query.add("state", state?.rawValue)
        query.add("sync", reconciliation?.description)
        if withPosition { query.add(columns, position) }
        return query
    }
}
