package import Billing

/// The revenue of one period, of one part of the business, in one currency.
package struct RevenueCell: Hashable, Sendable {
    package var period: ReportingPeriod
    /// The value of the breakdown: a product's identifier, a plan's code, a store, a country; empty without a breakdown.
    package var part: String
    package var currency: Currency
    package var revenue: Revenue

    package init(period: ReportingPeriod, part: String, currency: Currency, revenue: Revenue) {
        self.period = period
        self.part = part
        self.currency = currency
        self.revenue = revenue
    }

    /// The dimensions by which revenue can be broken down. Raw values appear in URLs.
    package enum Breakdown: String, Hashable, Sendable, CaseIterable {
        case product
        case plan
        case store
        case country
    }
}

/// The result of a revenue query, and the currencies for which a rate was missing on some day.
package struct RevenueAnswer: Hashable, Sendable {
    /// By period, part and currency.
    package var cells: [RevenueCell]
    /// Without repetitions, sorted. Their amounts are not in the cells: a missing rate is never taken as 1.
    package var missingRates: [Currency]
    /// The amounts that the cells lack because a rate is missing, charges less refunds and credits, in the currencies that were charged.
    package var unconverted: [Money]
    /// The number of orders in no cell, because the store has not reported the charge yet.
    package var unpriced: Int

    package init(cells: [RevenueCell], missingRates: [Currency] = [], unconverted: [Money] = [], unpriced: Int = 0) {
        self.unpriced = unpriced
        self.cells = cells
        self.missingRates = missingRates
        self.unconverted = unconverted
    }
}
