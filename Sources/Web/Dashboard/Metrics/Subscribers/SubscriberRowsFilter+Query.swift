import Billing
package import Storage

extension SubscriberRowsFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is
    /// an error.
    package init(query: [(name: String, value: String)]) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        self.init(
            metrics: MetricsFilter(query: query),
            metric: value("metric").flatMap(Metric.init(rawValue:)) ?? .mrr,
            movement: value("movement").flatMap { name in MovementClass.allCases.first { $0.name == name } },
            grain: value("grain").flatMap(ReportingPeriod.Grain.init(rawValue:)) ?? .month,
            from: value("from").flatMap { BusinessDay($0) },
            to: value("to").flatMap { BusinessDay($0) },
            position: try QueryText.position(in: query, kind: .subscriberRows)
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
