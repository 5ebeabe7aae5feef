package import Billing

/// The revenue of one period, of one part of the business, in one currency.
package struct RevenueCell: Hashable, Sendable {
    package var period: ReportingPeriod
    /// What the breakdown is by: a product's identifier, a plan's code, a store, a country; empty without a breakdown.
    package var part: String
    package var currency: Currency
    package var revenue: Revenue

    package init(period: ReportingPeriod, part: String, currency: Currency, revenue: Revenue) {
        self.period = period
        self.part = part
        self.currency = currency
        self.revenue = revenue
    }

    /// What revenue can be divided by. Raw values stand in addresses.
    package enum Breakdown: String, Hashable, Sendable, CaseIterable {
        case product
        case plan
        case store
        case country
    }
}

/// What was asked for, and the currencies for which a rate was missing on some day.
package struct RevenueAnswer: Hashable, Sendable {
    /// By period, part and currency.
    package var cells: [RevenueCell]
    /// Without repetitions, sorted. Their amounts are not in the cells: a missing rate is never taken as 1.
    package var missingRates: [Currency]
    /// What is not in the cells for want of a rate, charges less refunds and credits, in the currencies that were charged.
    package var unconverted: [Money]
    /// How many orders of the question are in no cell, because the store has not said yet what was charged.
    package var unpriced: Int

    package init(cells: [RevenueCell], missingRates: [Currency] = [], unconverted: [Money] = [], unpriced: Int = 0) {
        self.unpriced = unpriced
        self.cells = cells
        self.missingRates = missingRates
        self.unconverted = unconverted
    }
}
