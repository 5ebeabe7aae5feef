/// `GET /admin/support/stats`: net revenue by month as the readmigo document, part 7, types it, with the currency of its amounts.
public struct RevenueTrend: Resource {
    public var revenueTrends: [Month]
    public var currency: String
    public var missingRates: [String]
    public var ordersWithoutAmount: Int

    public static let fields = Fields<Self> {
        Field(
            "revenueTrends",
            \.revenueTrends,
            "The last twelve months, newest first; the first of them is not finished."
        )
        Field("currency", \.currency, "ISO 4217: the app's reporting currency.")
        Field("missingRates", \.missingRates, "Currencies without a rate on some day: their amounts are left out.")
        Field(
            "ordersWithoutAmount",
            \.ordersWithoutAmount,
            "How many orders are in none of the amounts, as the store has not said theirs yet.",
            .range(0)
        )
    }

    public struct Month: Resource {
        public var date: String
        public var revenue: Amount

        public static let fields = Fields<Self> {
            Field("date", \.date, "`2024-12`", .pattern("^[0-9]{4}-[0-9]{2}$"))
            Field("revenue", \.revenue, "Gross revenue less refunds.")
        }

        public init(date: String, revenue: Amount) {
            self.date = date
            self.revenue = revenue
        }
    }

    public init(revenueTrends: [Month], currency: String, missingRates: [String], ordersWithoutAmount: Int) {
        self.revenueTrends = revenueTrends
        self.currency = currency
        self.missingRates = missingRates
        self.ordersWithoutAmount = ordersWithoutAmount
    }
}
