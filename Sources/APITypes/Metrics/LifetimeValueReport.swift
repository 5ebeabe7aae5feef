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

    public static let fields = Fields<Self> {
        origin
        Field("currency", \.currency, "Of all amounts.")
        Field("rows", \.rows)
        Field("predicted", \.predicted, "An estimate from the last month that is over; null when nobody paid in it.")
        Field("missingRates", \.missingRates, "Currencies without a rate on some day: their amounts are left out.")
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
        public var arppu: Amount
        public var churnRate: Double?
        public var value: Amount?

        public static let fields = Fields<Self> {
            Field("from", \.from, "The month's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("arppu", \.arppu, "Net revenue per payer.")
            Field(
                "churnRate",
                \.churnRate,
                "Subscribers lost in the month in percent, with two decimals; null without any at its start."
            )
            Field("value", \.value, "ARPPU by churn; null where nobody was lost.")
        }

        public init(
            from: String,
            to: String,
            arppu: Amount,
            churnRate: Double?,
            value: Amount?
        ) {
            self.from = from
            self.to = to
            self.arppu = arppu
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
        missingRates: [String]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.currency = currency
        self.rows = rows
        self.predicted = predicted
        self.missingRates = missingRates
    }
}
