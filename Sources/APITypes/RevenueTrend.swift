/// `GET /admin/support/stats`: net revenue by month as the readmigo document, part 7, types it, with the currency of its amounts.
public struct RevenueTrend: Codable, Hashable, Sendable {
    /// The last twelve months, newest first; the first of them is not finished.
    public var revenueTrends: [Month]
    /// ISO 4217: the app's reporting currency.
    public var currency: String
    /// Currencies without a rate on some day: their amounts are left out.
    public var missingRates: [String]

    public struct Month: Codable, Hashable, Sendable {
        /// `2024-12`
        public var date: String
        /// Gross revenue less refunds.
        public var revenue: Amount

        public init(date: String, revenue: Amount) {
            self.date = date
            self.revenue = revenue
        }
    }

    public init(revenueTrends: [Month], currency: String, missingRates: [String]) {
        self.revenueTrends = revenueTrends
        self.currency = currency
        self.missingRates = missingRates
    }
}
