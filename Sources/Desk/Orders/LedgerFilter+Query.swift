import Billing
package import HTTP
package import Storage

extension LedgerFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is an
    /// error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            metrics: MetricsFilter(&query),
            kind: query.choice("kind", Kind.self) ?? .everything,
            dating: query.value("dating", Dating.init(rawValue:)) ?? .own,
            from: query.day("from"),
            to: query.day("to"),
            position: try query.position(of: .ledger)
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
