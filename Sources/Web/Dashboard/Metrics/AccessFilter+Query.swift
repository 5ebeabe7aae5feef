import Billing
package import Storage

extension AccessFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            metrics: MetricsFilter(query: query),
            direction: value("direction").flatMap(Direction.init(rawValue:)),
            cause: value("cause").flatMap(EntitlementChange.Cause.init(rawValue:)),
            from: value("from").flatMap { BusinessDay($0) },
            to: value("to").flatMap { BusinessDay($0) },
            position: try QueryText.position(in: query, kind: .access)
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
