package import Billing
package import Foundation

/// What one customer adds.
package struct CohortRow: Hashable, Sendable {
    package var customer: Customer.ID
    package var customerKey: String
    /// When they were first there, by the store's clock.
    package var seen: Date
    /// The business day that the list is sorted by.
    package var day: BusinessDay
    /// What it is of, by name; nothing for who has bought nothing.
    package var products: [String]
    package var plans: [String]
    /// How many customers or subscriptions the row counts.
    package var count: Int64
    /// Minor units of the asked currency; nil where the metric is not of money.
    package var net: Int64?

    package init(
        customer: Customer.ID,
        customerKey: String,
        seen: Date,
        day: BusinessDay,
        products: [String] = [],
        plans: [String] = [],
        count: Int64,
        net: Int64? = nil
    ) {
        self.customer = customer
        self.customerKey = customerKey
        self.seen = seen
        self.day = day
        self.products = products
        self.plans = plans
        self.count = count
        self.net = net
    }
}

/// What all rows behind a metric of customers add up to.
package struct CohortSums: Hashable, Sendable {
    /// Customers or subscriptions.
    package var count: Int64
    /// How many those are a part of; nil where they are the whole.
    package var whole: Int64?
    /// What the customers brought; nil where the metric is not of money.
    package var net: Money?
    /// That for each customer, in minor units; nil among nobody.
    package var share: Int64?
    /// What is not in `net` for want of a rate.
    package var unconverted: [Money]
    /// Orders whose amount is not known, and not in it.
    package var unpriced: Int

    package init(
        count: Int64,
        whole: Int64? = nil,
        net: Money? = nil,
        share: Int64? = nil,
        unconverted: [Money] = [],
        unpriced: Int = 0
    ) {
        self.unpriced = unpriced
        self.count = count
        self.whole = whole
        self.net = net
        self.share = share
        self.unconverted = unconverted
    }
}
