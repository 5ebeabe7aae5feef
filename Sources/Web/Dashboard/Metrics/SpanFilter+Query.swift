import Billing
import Storage

extension SpanFilter {
    /// Reads a filter from a URL; unknown values fall back to the defaults.
    init(query: [(name: String, value: String)]) {
        self.init(
            metrics: MetricsFilter(query: query),
            from: QueryText.value(of: "from", in: query).flatMap { BusinessDay($0) },
            to: QueryText.value(of: "to", in: query).flatMap { BusinessDay($0) }
        )
    }

    var query: QueryText {
        var query = QueryText()
        query.add("from", from?.description)
        query.add("to", to?.description)
        metrics.add(to: &query)
        return query
    }
}
