/// `GET /admin/metrics/trials`: free trials by the period they began in. Definitions: docs/metrics.md.
public struct TrialReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    public static let fields = Fields<Self> {
        origin
        Field("rows", \.rows)
    }

    /// Converted, pending and abandoned are all trials.
    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var trials: Int
        public var converted: Int
        public var pending: Int
        public var abandoned: Int

        public static let fields = Fields<Self> {
            Field("from", \.from, "The period's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field("trials", \.trials, "Free trials that began.")
            Field("converted", \.converted, "Paid for since.")
            Field("pending", \.pending, "Run still, and nothing is paid.")
            Field("abandoned", \.abandoned, "Over, and nothing is paid.")
        }

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            trials: Int,
            converted: Int,
            pending: Int,
            abandoned: Int
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.trials = trials
            self.converted = converted
            self.pending = pending
            self.abandoned = abandoned
        }
    }

    public init(version: Int, timeZone: String, asOf: String?, rows: [Row]) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
    }
}
