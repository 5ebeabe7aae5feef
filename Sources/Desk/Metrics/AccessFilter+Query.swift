import Billing
package import HTTP
package import Storage

extension AccessFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            metrics: MetricsFilter(&query),
            direction: query.choice("direction", Direction.self),
            cause: query.choice("cause", EntitlementChange.Cause.self),
            from: query.day("from"),
            to: query.day("to"),
            position: try query.position(of: .access)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String {
        var query = filters
        query.add(position)
        return DashboardPath.access + query.text
    }

    /// The numbers of the chart as a file.
    var csvPath: String { DashboardPath.accessFile + filters.text }

    private var filters: QueryText {
        var query = QueryText()
        query.add("direction", direction?.rawValue)
        query.add("cause", cause?.rawValue)
        query.add("from", from?.description)
        query.add("to", to?.description)
        metrics.add(to: &query)
        return query
    }
}
