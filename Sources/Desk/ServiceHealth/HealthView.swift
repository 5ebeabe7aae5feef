import HTTP
package import Storage

/// The state of the page of the service's health, all of which is in its address.
package struct HealthView: Hashable, Sendable {
    package var span: HealthSpan
    /// The order of the routes.
    package var order: ServiceMetrics.Order

    package init(span: HealthSpan = .day, order: ServiceMetrics.Order = .slowest) {
        (self.span, self.order) = (span, order)
    }

    package init(_ query: inout QueryReader) {
        self.init(
            span: query.choice("span", HealthSpan.self) ?? .day,
            order: query.choice("sort", ServiceMetrics.Order.self) ?? .slowest
        )
    }

    /// The address of this state; defaults are left out.
    package var path: String { DashboardPath.serviceHealth + query.text }

    /// A table of the page as a file.
    func csvPath(_ table: HealthTable) -> String {
        var query = query
        query.add("table", table.name)
        return DashboardPath.serviceHealthFile + query.text
    }

    func changed(_ change: (inout HealthView) -> Void) -> HealthView {
        var copy = self
        change(&copy)
        return copy
    }

    private var query: QueryText {
        var query = QueryText()
        query.add("span", span == .day ? nil : span.rawValue)
        query.add("sort", order == .slowest ? nil : order.rawValue)
        return query
    }
}

/// The tables of the page.
enum HealthTable: Hashable, Sendable {
    /// A metric by the hour or the day.
    case history(HealthMetric)
    /// Answers by route.
    case routes

    /// As it stands in addresses.
    var name: String {
        switch self {
        case .history(let metric): metric.rawValue
        case .routes: "routes"
        }
    }

    init?(name: String) {
        guard name != "routes" else {
            self = .routes
            return
        }
        guard let metric = HealthMetric(rawValue: name) else { return nil }
        self = .history(metric)
    }
}
