/// `GET /admin/metrics/revenue`: what came in and went back, by period. Definitions: docs/metrics.md.
public struct RevenueReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]
    public var missingRates: [String]
    public var unconverted: [Unconverted]
    public var ordersWithoutAmount: Int

    public static let fields = Fields<Self> {
        origin
        Field("rows", \.rows)
        Field("missingRates", \.missingRates, "Currencies without a rate on some day: their amounts are left out.")
        Field("unconverted", \.unconverted, "What that is, by currency: charges less refunds and upgrade credits.")
        Field(
            "ordersWithoutAmount",
            \.ordersWithoutAmount,
            "Orders of these days whose amount the store has not said yet: they are in no row."
        )
    }

    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var part: String?
        public var currency: String
        public var gross: Amount
        public var refunds: Amount
        public var upgradeCredits: Amount
        public var net: Amount
        public var proceeds: Amount
        public var refundsOfCharges: Amount
        public var charges: Int
        public var freeOrders: Int
        public var refundsMade: Int
        public var refundedCharges: Int

        public static let fields = Fields<Self> {
            Field("from", \.from, "The first day of the period, `2026-11-01`.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field(
                "part",
                \.part,
                "The product, plan, store or country, when the answer is divided by one; null otherwise."
            )
            Field("currency", \.currency, "ISO 4217.")
            Field("gross", \.gross, "Charges by the day of the charge.")
            Field("refunds", \.refunds, "What was given back, by the day it was given back.")
            Field(
                "upgradeCredits",
                \.upgradeCredits,
                "The unused parts of periods that customers upgraded from, by the day of the upgrade. No refunds."
            )
            Field("net", \.net, "Gross less refunds and upgrade credits.")
            Field("proceeds", \.proceeds, "Net less the store's share, an estimate.")
            Field("refundsOfCharges", \.refundsOfCharges, "What was given back, also later, of the period's charges.")
            Field("charges", \.charges)
            Field("freeOrders", \.freeOrders)
            Field("refundsMade", \.refundsMade)
            Field("refundedCharges", \.refundedCharges)
        }

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            part: String?,
            currency: String,
            gross: Amount,
            refunds: Amount,
            upgradeCredits: Amount,
            net: Amount,
            proceeds: Amount,
            refundsOfCharges: Amount,
            charges: Int,
            freeOrders: Int,
            refundsMade: Int,
            refundedCharges: Int
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.part = part
            self.currency = currency
            self.gross = gross
            self.refunds = refunds
            self.upgradeCredits = upgradeCredits
            self.net = net
            self.proceeds = proceeds
            self.refundsOfCharges = refundsOfCharges
            self.charges = charges
            self.freeOrders = freeOrders
            self.refundsMade = refundsMade
            self.refundedCharges = refundedCharges
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        rows: [Row],
        missingRates: [String],
        unconverted: [Unconverted],
        ordersWithoutAmount: Int
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
        self.missingRates = missingRates
        self.unconverted = unconverted
        self.ordersWithoutAmount = ordersWithoutAmount
    }
}
