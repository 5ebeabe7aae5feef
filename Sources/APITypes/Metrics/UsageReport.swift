/// `GET /admin/metrics/usage`: what all customers used of each feature, by period. Definitions: docs/metrics.md.
public struct UsageReport: Resource {
    public var version: Int
    public var timeZone: String
    public var rows: [Row]

    public static let fields = Fields<Self> {
        Field("version", \.version, "Of the definitions; another version counts otherwise.")
        Field("timeZone", \.timeZone, "The business time zone that its days are of.")
        Field("rows", \.rows, "The oldest period first; what nothing was used of has no row.")
    }

    /// A feature in one period.
    public struct Row: Resource {
        public var from: String
        public var to: String
        public var isPartial: Bool
        public var feature: String
        public var units: Int64
        public var offline: Int64

        public static let fields = Fields<Self> {
            Field("from", \.from, "The period's first day.", .format("date"))
            Field("to", \.to, "Its last day.", .format("date"))
            Field("isPartial", \.isPartial, "Its last day is not over.")
            Field("feature", \.feature, "Its code.")
            Field("units", \.units, "Counted, reserved and reported later.")
            Field("offline", \.offline, "Of `units`: what was counted offline, which no limit held.")
        }

        public init(from: String, to: String, isPartial: Bool, feature: String, units: Int64, offline: Int64) {
            (self.from, self.to, self.isPartial) = (from, to, isPartial)
            (self.feature, self.units, self.offline) = (feature, units, offline)
        }
    }

    public init(version: Int, timeZone: String, rows: [Row]) {
        (self.version, self.timeZone, self.rows) = (version, timeZone, rows)
    }
}
