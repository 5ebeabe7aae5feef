package import Billing
import HTTP
package import Storage

/// The state of the page of cohorts, all of which is in its address.
package struct CohortsView: Hashable, Sendable {
    package var from: BusinessDay?
    package var to: BusinessDay?
    package var filter = MetricsFilter()

    package init() {}

    package init(_ query: inout QueryReader) {
        from = query.day("from")
        to = query.day("to")
        filter = MetricsFilter(&query)
    }

    /// The address of this state; defaults are left out.
    package var path: String { DashboardPath.cohorts + query.text }

    /// The numbers of a chart as a file.
    func csvPath(_ table: CohortTable) -> String {
        var query = query
        query.add("table", table.rawValue)
        return DashboardPath.cohortsFile + query.text
    }

    func changed(_ change: (inout CohortsView) -> Void) -> CohortsView {
        var copy = self
        change(&copy)
        return copy
    }

    /// The billing period that retention is shown for: a month when nobody says otherwise.
    package var length: BillingPeriod { filter.period ?? .aMonth }

    /// The months that are shown, and of a file all that were asked for.
    func span(today: BusinessDay, isChart: Bool = true) -> RevenueSpan {
        var view = RevenueView()
        (view.from, view.to) = (from, to)
        return RevenueSpan(view, in: filter, on: today, isChart: isChart)
    }

    /// Whole months, those that the days of a span lie in.
    func question(of span: RevenueSpan) -> MetricsQuery {
        MetricsQuery(filter: filter, monthsFrom: span.first, through: span.last)
    }

    private var query: QueryText {
        var query = QueryText()
        query.add("from", from?.description)
        query.add("to", to?.description)
        filter.add(to: &query)
        return query
    }
}

/// The tables of the page of cohorts. Raw values stand in addresses.
package enum CohortTable: String, Sendable {
    case retention
    case conversion
    case arpu
    case ltv
}

/// Everything that the page of cohorts reads.
package struct CohortMetrics: Sendable {
    /// The reference date for the age of the cohorts: today, or the day of the data.
    package var day: BusinessDay
    /// The day that is not over yet: as of a day in the past the one after it.
    package var running: BusinessDay
    /// The months, and whether they are those that were asked for; nil where nothing was.
    package var span: RevenueSpan?
    package var retention: [RetentionCohort]
    package var conversion: [ConversionCohort]
    package var monthly: ConvertedMetrics<MonthlyValue>
    package var lifetime: ConvertedMetrics<LifetimeValue>
    /// nil when nobody paid in the last month.
    package var predicted: PredictedValue?

    package init(
        day: BusinessDay,
        running: BusinessDay? = nil,
        span: RevenueSpan? = nil,
        retention: [RetentionCohort],
        conversion: [ConversionCohort],
        monthly: ConvertedMetrics<MonthlyValue>,
        lifetime: ConvertedMetrics<LifetimeValue>,
        predicted: PredictedValue?
    ) {
        (self.day, self.running, self.span) = (day, running ?? day, span)
        self.retention = retention
        self.conversion = conversion
        self.monthly = monthly
        self.lifetime = lifetime
        self.predicted = predicted
    }
}
