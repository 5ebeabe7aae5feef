package import Storage

extension NotificationFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        self.init(
            state: QueryText.value(of: "state", in: query).flatMap(NotificationState.init(rawValue:)),
            position: try QueryText.position(in: query, kind: .notificationReceived)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String {
        var query = QueryText()
        query.add("state", state?.rawValue)
        query.add(position)
        return DashboardPath.notifications + query.text
    }
}
