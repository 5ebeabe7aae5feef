package import Billing
package import Storage

extension CohortRowsFilter {
    /// Reads the list's state from a URL. Unknown values fall back to the defaults; only a cursor that is not ours is
    /// an error.
    ///
    /// - Parameter today: the month that is meant where none is named.
    package init(query: [(name: String, value: String)], today: BusinessDay) throws(InvalidCursor) {
        func value(_ name: String) -> String? { QueryText.value(of: name, in: query) }
        let metric = value("metric").flatMap(Metric.init(rawValue:)) ?? .conversion
        let step: Int? =
            switch metric {
            case .retention:
                value("paid_period").flatMap { Int($0) }.flatMap { (1...Self.mostPeriods).contains($0) ? $0 - 1 : nil }
            case .conversion: value("within").flatMap(Self.limit(named:))
            case .customers, .payers, .lifetime, .lifetimePayers, .holders, .free, .trials: nil
            }
        self.init(
            metrics: MetricsFilter(query: query),
            metric: metric,
            month: ReportingPeriod(.month, containing: value("month").flatMap { BusinessDay("\($0)-01") } ?? today),
            step: step,
            paid: value("paid") != "no",
            position: try QueryText.position(in: query, kind: .cohortRows)
        )
    }

    /// The address of this state of the list; defaults are left out.
    package var path: String { DashboardPath.cohortRows + query.text }

    var query: QueryText {
        var query = QueryText()
        query.add("metric", metric.rawValue)
        query.add("month", monthText)
        query.add("paid_period", periodText)
        query.add("within", limitText)
        query.add("paid", metric.hasSteps && step != nil && !paid ? "no" : nil)
        if metric.isSnapshot { query.add("plan", metrics.plan) } else { metrics.add(to: &query) }
        query.add(position)
        return query
    }

    /// "2026-03"
    var monthText: String? { metric.isSnapshot ? nil : String(month.first.description.dropLast(3)) }

    /// "1" for the first.
    var periodText: String? { metric == .retention ? step.map { String($0 + 1) } : nil }

    /// "7", "ever"
    var limitText: String? {
        guard metric == .conversion, let step else { return nil }
        let limits = ConversionCohort.limits
        return limits.indices.contains(step) ? String(limits[step]) : Self.ever
    }

    private static let ever = "ever"
    /// More than any store's subscription can have had.
    private static let mostPeriods = 2_000

    private static func limit(named text: String) -> Int? {
        text == ever ? ConversionCohort.limits.count : Int(text).flatMap { ConversionCohort.limits.firstIndex(of: $0) }
    }
}
