import Billing
import HTTP
package import Storage

extension SpanFilter {
    /// Reads a filter from a URL; what cannot be read falls back to its default.
    package init(_ query: inout QueryReader) {
        self.init(
            metrics: MetricsFilter(&query),
            from: query.day("from"),
            to: query.day("to")
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
