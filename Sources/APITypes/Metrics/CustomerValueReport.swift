/// `GET /admin/metrics/arpu`: what customers brought, by month, in one currency. Definitions: docs/metrics.md.
public struct CustomerValueReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var currency: String
    public var rows: [Row]
    public var missingRates: [String]
    public var unconverted: [Unconverted]
    public var ordersWithoutAmount: Int

    public static let fields = Fields<Self> {
        origin
        Field("currency", \.currency, "Of all amounts.")
        Field("rows", \.rows)
        Field("missingRates", \.missingRates, "Currencies without a rate on some day: their amounts are left out.")
        Field("unconverted", \.unconverted, "What that is, by currency: charges less refunds.")
        Field(
            "ordersWithoutAmount",
            \.ordersWithoutAmount,
            "How many orders are in none of the amounts, as the store has not said theirs yet.",
            .range(0)
        )
    }

    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var net: Amount
        public var customers: Int
        public var payers: Int
        public var arpu: Amount?
        public var arppu: Amount?

        public static let fields = Fields<Self> {
            Field("from", \.from, "The month's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field("net", \.net, "Charges less refunds, each on its own day.")
            Field("customers", \.customers, "Seen until the end of the month.")
            Field("payers", \.payers, "Who paid in it.")
            Field("arpu", \.arpu, "Net of customers; null without any.")
            Field("arppu", \.arppu, "Net of payers; null without any.")
        }

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            net: Amount,
            customers: Int,
            payers: Int,
            arpu: Amount?,
            arppu: Amount?
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.net = net
            self.customers = customers
            self.payers = payers
            self.arpu = arpu
            self.arppu = arppu
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        currency: String,
        rows: [Row],
        missingRates: [String],
        unconverted: [Unconverted],
        ordersWithoutAmount: Int
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.currency = currency
        self.rows = rows
        self.missingRates = missingRates
        self.unconverted = unconverted
        self.ordersWithoutAmount = ordersWithoutAmount
    }
}
