package import Billing

/// The customers of an app at a moment, by their access.
package struct CustomerSnapshot: Hashable, Sendable {
    /// All who were ever seen.
    package var customers: Int64 = 0
    /// Customers who ever paid.
    package var payers: Int64 = 0
    /// Customers by their current plan, highest last; without those who have none, and without those in a trial.
    package var plans: [PlanCount] = []
    /// Customers whose access is a free trial.
    package var trials: Int64 = 0
    /// Customers who had access and have none any more.
    package var expired: Int64 = 0
    /// Customers with paid access.
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

    /// Customers without a plan above the lowest.
    package var free: Int64 { customers - trials - plans.filter { $0.rank > 0 }.reduce(0) { $0 + $1.customers } }

    /// The share of customers who ever paid, in hundredths of a percent; nil without customers.
    package var conversionRate: Int? { Revenue.rate(payers, of: customers) }
}

/// The metrics at the end of each day of a range.
package struct DailySnapshot: Hashable, Sendable {
    /// Minor units of one currency a month.
    package var recurring: [Int64]
    package var subscribers: [Int64]
    package var trials: [Int64]
    /// The amounts that the last day's recurring revenue lacks because their currency has no rate.
    package var unconverted: [Money]

    package init(recurring: [Int64], subscribers: [Int64], trials: [Int64], unconverted: [Money] = []) {
        self.recurring = recurring
        self.subscribers = subscribers
        self.trials = trials
        self.unconverted = unconverted
    }
}
