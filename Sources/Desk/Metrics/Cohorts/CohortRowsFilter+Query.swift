package import Billing
package import HTTP
package import Storage

extension CohortRowsFilter {
    /// Reads the list's state from a URL. An unreadable value falls back to its default; only a cursor that is not ours is
    /// an error.
    ///
    /// - Parameter today: the month that is meant where none is named.
    package init(_ query: inout QueryReader, today: BusinessDay) throws(InvalidCursor) {
        let metric = query.choice("metric", Metric.self) ?? .conversion
        let step: Int? =
            switch metric {
            case .retention:
                query.value("paid_period") { text in
                    Int(text).flatMap { (1...Self.mostPeriods).contains($0) ? $0 - 1 : nil }
                }
            case .conversion: query.value("within", Self.limit(named:))
            case .customers, .payers, .lifetime, .lifetimePayers, .holders, .free, .trials: nil
            }
        self.init(
            metrics: MetricsFilter(&query),
            metric: metric,
            month: ReportingPeriod(.month, containing: query.value("month") { BusinessDay("\($0)-01") } ?? today),
            step: step,
            paid: query.value("paid") { ["yes": true, "no": false][$0] } ?? true,
            position: try query.position(of: .cohortRows)
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
