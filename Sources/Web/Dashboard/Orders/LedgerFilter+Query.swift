import Billing
package import Storage

extension LedgerFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is an
    /// error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            metrics: MetricsFilter(query: query),
            kind: value("kind").flatMap(Kind.init(rawValue:)) ?? .everything,
            dating: value("dating").flatMap(Dating.init(rawValue:)) ?? .own,
            from: value("from").flatMap { BusinessDay($0) },
            to: value("to").flatMap { BusinessDay($0) },
            position: try QueryText.position(in: query, kind: .ledger)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.ledger + query.text }

    var query: QueryText {
        var query = QueryText()
        query.add("kind", kind == .everything ? nil : kind.rawValue)
        query.add("dating", dating == .own ? nil : dating.rawValue)
        query.add("from", from?.description)
        query.add("to", to?.description)
        metrics.add(to: &query)
        query.add(position)
        return query
    }
}
