package import Billing
package import Foundation

/// One customer's share of a customer metric.
package struct CohortRow: Hashable, Sendable {
    package var customer: Customer.ID
    package var customerKey: String
    /// The time at which they were first seen, by the store's clock.
    package var seen: Date
    /// The business day that the list is sorted by.
    package var day: BusinessDay
    /// The names of the products or granted plans behind it; empty for a customer who bought nothing.
    package var products: [String]
    package var plans: [String]
    /// The number of customers or subscriptions that the row counts.
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

/// The totals of all rows behind a customer metric.
package struct CohortSums: Hashable, Sendable {
    /// Customers or subscriptions.
    package var count: Int64
    /// The number that `count` is a part of; nil where it is the whole.
    package var whole: Int64?
    /// Net revenue from the customers; nil where the metric is not of money.
    package var net: Money?
    /// Net revenue per customer, in minor units; nil without customers.
    package var share: Int64?
    /// The amounts that `net` lacks because a rate is missing.
    package var unconverted: [Money]
    /// Orders of unknown amount, which `net` lacks.
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
