/// `GET /admin/orders/stats`: the fields of the readmigo document, part 7, with the currency that its amounts are in.
public struct OrderStatistics: Codable, Hashable, Sendable {
    /// Orders of production, free ones too.
    public var totalOrders: Int
    /// Gross revenue: all charges, whatever was given back later.
    public var totalRevenue: Amount
    /// Of the app's business day.
    public var todayOrders: Int
    public var todayRevenue: Amount
    /// Refund requests that wait for a decision.
    public var pendingRefunds: Int
    public var totalRefunded: Amount
    /// Refunded of revenue, in percent.
    public var refundRate: Double
    /// ISO 4217: the app's reporting currency.
    public var currency: String
    /// Currencies without a rate on some day: their amounts are left out.
    public var missingRates: [String]

    public init(
        totalOrders: Int,
        totalRevenue: Amount,
        todayOrders: Int,
        todayRevenue: Amount,
        pendingRefunds: Int,
        totalRefunded: Amount,
        refundRate: Double,
        currency: String,
        missingRates: [String]
    ) {
        self.totalOrders = totalOrders
        self.totalRevenue = totalRevenue
        self.todayOrders = todayOrders
        self.todayRevenue = todayRevenue
        self.pendingRefunds = pendingRefunds
        self.totalRefunded = totalRefunded
        self.refundRate = refundRate
        self.currency = currency
        self.missingRates = missingRates
    }
}
