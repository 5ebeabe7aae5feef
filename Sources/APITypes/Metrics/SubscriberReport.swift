/// `GET /admin/metrics/subscribers`: the customers with paid access, by period. Definitions: docs/metrics.md.
public struct SubscriberReport: MetricsReport {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    public static let fields = Fields<Self> {
        origin
        Field("rows", \.rows)
    }

    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var start: Int
        public var new: Int
        public var reactivated: Int
        public var moved: Int
        public var ended: Int
        public var end: Int
        public var lost: Int?
        public var churnRate: Double?

        public static let fields = Fields<Self> {
            Field("from", \.from, "The period's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field("start", \.start, "At the end of the day before.")
            Field("new", \.new, "Never had paid access before.")
            Field("reactivated", \.reactivated, "Came back.")
            Field("moved", \.moved, "Into what the filter leaves, less those out of it; 0 without a filter.")
            Field("ended", \.ended, "How often paid access ended.")
            Field("end", \.end, "At the end of the last day.")
            Field(
                "lost",
                \.lost,
                "Those of the start without paid access at the end; null until the period is over, and of a part of one."
            )
            Field(
                "churnRate",
                \.churnRate,
                "Lost of start, in percent with two decimals; null without any at the start, and where `lost` is."
            )
        }

        public init(
            from: String,
            to: String,
            isPartial: Bool,
            start: Int,
            new: Int,
            reactivated: Int,
            moved: Int,
            ended: Int,
            end: Int,
            lost: Int?,
            churnRate: Double?
        ) {
            self.from = from
            self.to = to
            self.isPartial = isPartial
            self.start = start
            self.new = new
            self.reactivated = reactivated
            self.moved = moved
            self.ended = ended
            self.end = end
            self.lost = lost
            self.churnRate = churnRate
        }
    }

    public init(version: Int, timeZone: String, asOf: String?, rows: [Row]) {
        self.version = version
        self.timeZone = timeZone
        self.asOf = asOf
        self.rows = rows
    }
}
