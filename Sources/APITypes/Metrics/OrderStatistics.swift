/// `GET /admin/orders/stats`: the fields of the readmigo document, part 7, with the currency that its amounts are in.
public struct OrderStatistics: Resource {
    public var totalOrders: Int
    public var totalRevenue: Amount
    public var todayOrders: Int
    public var todayRevenue: Amount
    public var pendingRefunds: Int
    public var totalRefunded: Amount
    public var refundRate: Double
    public var currency: String
    public var missingRates: [String]
    public var ordersWithoutAmount: Int

    public static let fields = Fields<Self> {
        Field("totalOrders", \.totalOrders, "Orders of production, free ones too.")
        Field("totalRevenue", \.totalRevenue, "Gross revenue: all charges, whatever was given back later.")
        Field("todayOrders", \.todayOrders, "Of the app's business day.")
        Field("todayRevenue", \.todayRevenue)
        Field("pendingRefunds", \.pendingRefunds, "Refund requests that wait for a decision.")
        Field("totalRefunded", \.totalRefunded)
        Field("refundRate", \.refundRate, "Refunded of revenue, in percent.")
        Field("currency", \.currency, "The app's reporting currency, in which all amounts are.")
        Field("missingRates", \.missingRates, "Currencies without a rate on some day: their amounts are left out.")
        Field(
            "ordersWithoutAmount",
            \.ordersWithoutAmount,
            "Orders whose amount the store has not said yet: they are in none of the other numbers."
        )
    }

    public init(
        totalOrders: Int,
        totalRevenue: Amount,
        todayOrders: Int,
        todayRevenue: Amount,
        pendingRefunds: Int,
        totalRefunded: Amount,
        refundRate: Double,
        currency: String,
        missingRates: [String],
        ordersWithoutAmount: Int
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
        self.ordersWithoutAmount = ordersWithoutAmount
    }
}
