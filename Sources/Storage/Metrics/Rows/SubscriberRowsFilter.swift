package import Billing

/// The filter and the page of a list of the subscribers behind a metric.
package struct SubscriberRowsFilter: ListFilter, Hashable {
    package var metrics: MetricsFilter
    package var metric: Metric
    /// For movements and changes, the only kind; nil for all.
    package var movement: MovementClass?
    /// For `lost`, the length of the periods.
    package var grain: ReportingPeriod.Grain
    /// On or after; ignored for a snapshot.
    package var from: BusinessDay?
    /// On or before; a snapshot is of the end of this day.
    package var to: BusinessDay?
    package var position: PagePosition

    package init(
        metrics: MetricsFilter = MetricsFilter(),
        metric: Metric = .mrr,
        movement: MovementClass? = nil,
        grain: ReportingPeriod.Grain = .month,
        from: BusinessDay? = nil,
        to: BusinessDay? = nil,
        position: PagePosition = .first
    ) {
        self.metrics = metrics
        self.metric = metric
        self.movement = movement
        self.grain = grain
        self.from = from
        self.to = to
        self.position = position
    }

    /// Raw values appear in URLs.
    package enum Metric: String, Hashable, Sendable, CaseIterable {
        /// Monthly recurring revenue at the end of a day.
        case mrr
        /// Movements of monthly recurring revenue.
        case movements
        /// Customers with paid access at the end of a day.
        case active
        /// Subscribers gained and lost.
        case changes
        /// Subscribers of the start of a period who had no paid access at its end.
        case lost
        /// Trials by the day on which they began, with their outcomes.
        case trials
        case converted
        case pending
        case abandoned

        /// True if it is of the end of a day, and not of a range of days.
        package var isSnapshot: Bool { self == .mrr || self == .active }

        /// True if it is an amount of money.
        package var isMoney: Bool { self == .mrr || self == .movements }

        package var hasMovements: Bool { self == .movements || self == .changes }

        package var isOfTrials: Bool {
            switch self {
            case .trials, .converted, .pending, .abandoned: true
            case .mrr, .movements, .active, .changes, .lost: false
            }
        }

        var measures: [MetricsEntry.Measure] {
            switch self {
            case .mrr, .movements: [.mrr]
            case .active, .changes: [.subscriber]
            case .lost: [.lost]
            case .trials: [.trial]
            case .converted: [.trialConverted]
            case .pending: [.trial, .trialConverted, .trialAbandoned]
            case .abandoned: [.trialAbandoned]
            }
        }
    }

    package func cursor(at row: SubscriberRow, rowsBefore: Int) -> PageCursor {
        PageCursor(kind: .subscriberRows, day: row.day, id: row.customer.uuid, rowsBefore: rowsBefore)
    }
}
