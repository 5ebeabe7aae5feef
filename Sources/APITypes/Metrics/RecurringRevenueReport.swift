/// `GET /admin/metrics/mrr`: monthly recurring revenue and how it moved, by period and currency, or all of it in one. Definitions:
/// docs/metrics.md.
public struct RecurringRevenueReport: MetricsReport {
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
        Field(
            "missingRates",
            \.missingRates,
            "Currencies without a rate: their amounts are left out of what all are in one. ISO 4217, sorted."
        )
        Field(
            "unconverted",
            \.unconverted,
            "What that is, by currency: monthly recurring revenue at the end of the last period."
        )
        Field(
            "ordersWithoutAmount",
            \.ordersWithoutAmount,
            "How many periods that run at the end of the last one have no price, as the store has not said it yet: they are in no amount.",
            .range(0)
        )
    }

    /// The start and all movements are the end, to the cent.
    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var currency: String
        public var start: Amount
        public var new: Amount
        public var reactivation: Amount
        public var expansion: Amount
        public var contraction: Amount
        public var churned: Amount
        public var moved: Amount
        public var end: Amount

        public static let fields = Fields<Self> {
            Field("from", \.from, "The first day of the period, `2026-11-01`.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field("currency", \.currency, .currencyCode)
            Field("start", \.start, "At the end of the day before.")
            Field("new", \.new, "Of customers who never had paid access before.")
            Field("reactivation", \.reactivation, "Of customers who came back.")
            Field("expansion", \.expansion, "Of customers who pay more than before; not below 0.")
            Field("contraction", \.contraction, "Of customers who pay less; not above 0.")
            Field("churned", \.churned, "Of customers without paid access; not above 0.")
            Field(
                "moved",
                \.moved,
                "Of customers who came into what the filter leaves from something else they paid for, less those out of it; 0 without a filter."
            )
            Field("end", \.end, "At the end of the last day.")
        }

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            currency: String,
            start: Amount,
            new: Amount,
            reactivation: Amount,
            expansion: Amount,
            contraction: Amount,
            churned: Amount,
            moved: Amount,
            end: Amount
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.currency = currency
            self.start = start
            self.new = new
            self.reactivation = reactivation
            self.expansion = expansion
            self.contraction = contraction
            self.churned = churned
            self.moved = moved
            self.end = end
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
