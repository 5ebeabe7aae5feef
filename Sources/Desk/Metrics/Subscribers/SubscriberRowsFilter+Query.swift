import Billing
package import HTTP
package import Storage

extension SubscriberRowsFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is
    /// an error.
    package init(_ query: inout QueryReader) throws(InvalidCursor) {
        self.init(
            metrics: MetricsFilter(&query),
            metric: query.choice("metric", Metric.self) ?? .mrr,
            movement: query.value("movement") { name in MovementClass.allCases.first { $0.name == name } },
            grain: query.choice("grain", ReportingPeriod.Grain.self) ?? .month,
            from: query.day("from"),
            to: query.day("to"),
            position: try query.position(of: .subscriberRows)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.subscriberRows + query.text }

    var query: QueryText {
        var query = QueryText()
        query.add("metric", metric == .mrr ? nil : metric.rawValue)
        query.add("movement", metric.hasMovements ? movement?.name : nil)
        query.add("grain", grain == .month || metric != .lost ? nil : grain.rawValue)
        query.add("from", metric.isSnapshot ? nil : from?.description)
        query.add("to", to?.description)
        metrics.add(to: &query)
        query.add(position)
        return query
    }
}
