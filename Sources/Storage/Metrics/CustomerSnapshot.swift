package import Billing

/// How the customers of an app stand at a moment.
package struct CustomerSnapshot: Hashable, Sendable {
    /// All who were ever seen.
    package var customers: Int64 = 0
    /// Who ever paid.
    package var payers: Int64 = 0
    /// Who may use what now, by plan, highest last; those without are none of them, and those in a trial neither.
    package var plans: [PlanCount] = []
    /// Whose access is a free trial.
    package var trials: Int64 = 0
    /// Who had access and has none any more.
    package var expired: Int64 = 0
    /// Who have paid access.
    package var subscribers: Int64 = 0

    package struct PlanCount: Hashable, Sendable {
        /// The plan's code.
        package var plan: String
        package var rank: Int
        package var customers: Int64

        package init(plan: String, rank: Int, customers: Int64) {
            self.plan = plan
            self.rank = rank
            self.customers = customers
        }
    }

    package init() {}

    /// Who has no plan above the lowest.
    package var free: Int64 { customers - trials - plans.filter { $0.rank > 0 }.reduce(0) { $0 + $1.customers } }

    /// Who ever paid of all, in hundredths of a percent; nil without customers.
    package var conversionRate: Int? { Revenue.rate(payers, of: customers) }
}

/// What stands at the end of each of some days.
package struct DailySnapshot: Hashable, Sendable {
    /// Minor units of one currency a month.
    package var recurring: [Int64]
    package var subscribers: [Int64]
    package var trials: [Int64]
    /// What the last day's recurring revenue lacks for want of a rate.
    package var unconverted: [Money]

    package init(recurring: [Int64], subscribers: [Int64], trials: [Int64], unconverted: [Money] = []) {
        self.recurring = recurring
        self.subscribers = subscribers
        self.trials = trials
        self.unconverted = unconverted
    }
}
