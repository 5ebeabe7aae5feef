package import Billing

/// Which metric of subscriptions a list is behind, and which page of it.
package struct SubscriberRowsFilter: ListFilter, Hashable {
    package var metrics: MetricsFilter
    package var metric: Metric
    /// Of movements and changes, those of one kind; nil for all.
    package var movement: MovementClass?
    /// Of what is lost, the length of the periods.
    package var grain: ReportingPeriod.Grain
    /// On or after; of no meaning for what stands at the end of a day.
    package var from: BusinessDay?
    /// On or before: what stands is that of the end of this day.
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

    /// Raw values stand in addresses.
    package enum Metric: String, Hashable, Sendable, CaseIterable {
        /// Monthly recurring revenue at the end of a day.
        case mrr
        /// How it changed.
        case movements
        /// Customers with paid access at the end of a day.
        case active
        /// Who came and who went.
        case changes
        /// Of those at the start of a period, who had no paid access at its end.
        case lost
        /// Trials by the day they began, and what became of them.
        case trials
        case converted
        case pending
        case abandoned

        /// Whether it holds at the end of a day, and is not of a stretch of days.
        package var isSnapshot: Bool { self == .mrr || self == .active }

        /// Whether it is of money.
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
