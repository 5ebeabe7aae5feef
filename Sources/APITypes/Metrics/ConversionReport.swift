/// `GET /admin/metrics/conversion`: how soon the customers first seen in a month paid. Definitions: docs/metrics.md.
public struct ConversionReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    public static let fields = Fields<Self> {
        origin
        Field("rows", \.rows)
    }

    /// The customers of one month.
    public struct Row: Resource {
        public var from: String
        public var to: String
        public var customers: Int
        public var steps: [Step]

        public static let fields = Fields<Self> {
            Field("from", \.from, "The month's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("customers", \.customers, "First seen in it.")
            Field("steps", \.steps, "Within 7, 30 and 90 days, and ever.")
        }

        public init(
            from: String,
            to: String,
            customers: Int,
            steps: [Step]
        ) {
            self.from = from
            self.to = to
            self.customers = customers
            self.steps = steps
        }
    }

    public struct Step: Resource {
        public var days: Int?
        public var paid: Int
        public var share: Double?
        public var isPartial: Bool

        public static let fields = Fields<Self> {
            Field("days", \.days, "After the day a customer was first seen; null for ever.")
            Field("paid", \.paid, "Who paid within them.")
            Field("share", \.share, "Of the customers in percent, with two decimals; null without any.")
            Field("isPartial", \.isPartial, "The youngest were not that old.")
        }

        public init(
            days: Int?,
            paid: Int,
            share: Double?,
            isPartial: Bool
        ) {
            self.days = days
            self.paid = paid
            self.share = share
            self.isPartial = isPartial
        }
    }

    public init(
        version: Int,
        timeZone: String,
        asOf: String?,
        rows: [Row]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
    }
}
