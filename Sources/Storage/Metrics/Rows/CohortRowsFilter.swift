package import Billing

/// The filter and the page of a list of the customers behind a metric.
package struct CohortRowsFilter: ListFilter, Hashable {
    /// A metric of current access only uses the plan.
    package var metrics: MetricsFilter
    package var metric: Metric
    /// The month of the cohort, or of the metric; ignored for current access.
    package var month: ReportingPeriod
    /// For retention, the paid period, from 0; for conversion, the index in `ConversionCohort.limits`, and one more for ever; nil for
    /// the whole cohort.
    package var step: Int?
    /// With a step: true for those who paid, false for those who did not.
    package var paid: Bool
    package var position: PagePosition

    package init(
        metrics: MetricsFilter = MetricsFilter(),
        metric: Metric,
        month: ReportingPeriod,
        step: Int? = nil,
        paid: Bool = true,
        position: PagePosition = .first
    ) {
        self.metrics = metrics
        self.metric = metric
        self.month = month
        self.step = step
        self.paid = paid
        self.position = position
    }

    /// The length of the subscriptions' periods: a month unless the filter names another.
    package var length: BillingPeriod { metrics.period ?? .aMonth }

    /// Raw values appear in URLs.
    package enum Metric: String, Hashable, Sendable, CaseIterable {
        /// Subscriptions first paid for in the month.
        case retention
        /// Customers first seen in the month.
        case conversion
        /// Customers seen until the end of the month, and what each brought in it.
        case customers
        /// Customers who paid in the month, and what each brought in it.
        case payers
        /// Customers first seen in the month, and what each has brought until now.
        case lifetime
        /// Those of them who ever paid.
        case lifetimePayers = "lifetime_payers"
        /// Customers by the highest plan that they may use now.
        case holders
        /// Those who have nothing above the lowest plan.
        case free
        /// Customers whose access is a free trial.
        case trials

        /// True if the rows have each customer's net revenue.
        package var isMoney: Bool {
            switch self {
            case .customers, .payers, .lifetime, .lifetimePayers: true
            case .retention, .conversion, .holders, .free, .trials: false
            }
        }

        /// True if it is of now, and not of a month.
        package var isSnapshot: Bool { self == .holders || self == .free || self == .trials }

        package var hasSteps: Bool { self == .retention || self == .conversion }
    }

    package func cursor(at row: CohortRow, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .cohortRows, day: row.day, id: row.customer.uuid, rowsBefore: rowsBefore)
    }
}
