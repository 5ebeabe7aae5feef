/// `GET /admin/metrics/ltv`: what the customers first seen in a month have brought until now, in one currency. Definitions:
/// docs/metrics.md.
public struct LifetimeValueReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var currency: String
    public var rows: [Row]
    public var predicted: Prediction?
    public var missingRates: [String]
    public var unconverted: [Unconverted]
    public var ordersWithoutAmount: Int

    public static let fields = Fields<Self> {
        origin
        Field("currency", \.currency, "Of all amounts.")
        Field("rows", \.rows)
        Field("predicted", \.predicted, "An estimate from the last month that is over; null when nobody subscribed.")
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
        public var customers: Int
        public var payers: Int
        public var net: Amount
        public var perCustomer: Amount?
        public var perPayer: Amount?

        public static let fields = Fields<Self> {
            Field("from", \.from, "The month's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("customers", \.customers, "First seen in it.")
            Field("payers", \.payers, "Of them, who ever paid.")
            Field("net", \.net, "Net revenue until now.")
            Field("perCustomer", \.perCustomer, "Null without any.")
            Field("perPayer", \.perPayer, "Null without any.")
        }

        public init(
            from: String,
            to: String,
            customers: Int,
            payers: Int,
            net: Amount,
            perCustomer: Amount?,
            perPayer: Amount?
        ) {
            self.from = from
            self.to = to
            self.customers = customers
            self.payers = payers
            self.net = net
            self.perCustomer = perCustomer
            self.perPayer = perPayer
        }
    }

    /// An estimate.
    public struct Prediction: Resource {
        public var from: String
        public var to: String
        public var value: Amount?
        public var lengths: [Length]

        public static let fields = Fields<Self> {
            Field("from", \.from, "The month's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field(
                "value",
                \.value,
                "That of each length where it is known, weighted by its subscribers; null where it is known of none."
            )
            Field("lengths", \.lengths, "By how long what is paid for at once lasts, the shortest first.")
        }

        public init(from: String, to: String, value: Amount?, lengths: [Length]) {
            self.from = from
            self.to = to
            self.value = value
            self.lengths = lengths
        }
    }

    public struct Length: Resource {
        public var period: String
        public var subscribers: Int
        public var arpa: Amount?
        public var churnRate: Double?
        public var value: Amount?

        public static let fields = Fields<Self> {
            Field("period", \.period, "As ISO 8601 writes it: `P1M`.")
            Field("subscribers", \.subscribers, "At the month's end.")
            Field("arpa", \.arpa, "Monthly recurring revenue per subscriber; null without any.")
            Field(
                "churnRate",
                \.churnRate,
                "Subscribers lost in the month in percent, with two decimals; null without any at its start."
            )
            Field("value", \.value, "ARPA by churn; null where nobody was lost.")
        }

        public init(period: String, subscribers: Int, arpa: Amount?, churnRate: Double?, value: Amount?) {
            self.period = period
            self.subscribers = subscribers
            self.arpa = arpa
            self.churnRate = churnRate
            self.value = value
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        currency: String,
        rows: [Row],
        predicted: Prediction?,
        missingRates: [String],
        unconverted: [Unconverted],
        ordersWithoutAmount: Int
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.currency = currency
        self.rows = rows
        self.predicted = predicted
        self.missingRates = missingRates
        self.unconverted = unconverted
        self.ordersWithoutAmount = ordersWithoutAmount
    }
}
