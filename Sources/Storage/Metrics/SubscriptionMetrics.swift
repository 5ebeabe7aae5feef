package import Billing

/// Monthly recurring revenue of one period in one currency.
package struct RecurringRevenue: Hashable, Sendable {
    package var period: ReportingPeriod
    package var currency: Currency
    package var movement: Movement
}

/// The customers with paid access, over one period.
package struct SubscriberCount: Hashable, Sendable {
    package var period: ReportingPeriod
    package var movement: Movement
    /// Those of the start who had none at the end; of a period that runs, none yet. nil of a part of a period, of which it is not kept.
    package var lost: Int64?

    /// Of those at the start, in hundredths of a percent; nil when there were none.
    package var churnRate: Int? { lost.flatMap { Revenue.rate($0, of: movement.start) } }
}

/// The free trials that began in one period, and what became of them until now.
package struct TrialCount: Hashable, Sendable {
    package var period: ReportingPeriod
    package var trials: Int64
    package var converted: Int64
    package var abandoned: Int64

    package var pending: Int64 { trials - converted - abandoned }
}
