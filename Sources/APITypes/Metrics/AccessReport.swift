/// `GET /admin/metrics/access`: who gained and lost access, paid or not, by period. Definitions: docs/metrics.md.
public struct AccessReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    public static let fields = Fields<Self> {
        origin
        Field("rows", \.rows)
    }

    /// The number of each kind of change in a period.
    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var gained: Int
        public var regained: Int
        public var lost: Int
        public var raised: Int
        public var lowered: Int

        public static let fields = Fields<Self> {
            Field("from", \.from, "The period's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field("gained", \.gained, "By customers who had never had any.")
            Field("regained", \.regained, "By customers who had had some before.")
            Field("lost", \.lost, "Nothing is left.")
            Field("raised", \.raised, "To a higher plan.")
            Field("lowered", \.lowered, "To a lower plan.")
        }

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            gained: Int,
            regained: Int,
            lost: Int,
            raised: Int,
            lowered: Int
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.gained = gained
            self.regained = regained
            self.lost = lost
            self.raised = raised
            self.lowered = lowered
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
