/// `GET /admin/metrics/retention`: how many of the subscriptions first paid for in a month paid for each period since.
/// Definitions: docs/metrics.md.
public struct RetentionReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var period: String
    public var rows: [Row]

    public static let fields = Fields<Self> {
        origin
        Field("period", \.period, "How long a period of the first product is, `P1M`.")
        Field("rows", \.rows)
    }

    /// The subscriptions of one month.
    public struct Row: Resource {
        public var from: String
        public var to: String
        public var subscriptions: Int
        public var periods: [Period]

        public static let fields = Fields<Self> {
            Field("from", \.from, "The month's first day, `2026-11-01`.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("subscriptions", \.subscriptions, "Whose first paid period began in it.")
            Field("periods", \.periods, "From the first period on.")
        }

        public init(
            from: String,
            to: String,
            subscriptions: Int,
            periods: [Period]
        ) {
            self.from = from
            self.to = to
            self.subscriptions = subscriptions
            self.periods = periods
        }
    }

    public struct Period: Resource {
        public var eligible: Int
        public var paid: Int
        public var share: Double?
        public var isPartial: Bool

        public static let fields = Fields<Self> {
            Field("eligible", \.eligible, "How many could have paid for it by now.")
            Field("paid", \.paid, "Who paid for it; given back in full is not paid.")
            Field("share", \.share, "Paid of eligible in percent, with two decimals; null without any.")
            Field("isPartial", \.isPartial, "It is not over for all of them.")
        }

        public init(
            eligible: Int,
            paid: Int,
            share: Double?,
            isPartial: Bool
        ) {
            self.eligible = eligible
            self.paid = paid
            self.share = share
            self.isPartial = isPartial
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        period: String,
        rows: [Row]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.period = period
        self.rows = rows
    }
}
