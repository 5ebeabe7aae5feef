/// `GET /admin/metrics/access`: who gained and lost access, paid or not, by period. Definitions: docs/metrics.md.
public struct AccessReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    public var asOf: String?
    public var rows: [Row]

    /// How often each happened.
    public struct Row: Codable, Hashable, Sendable {
        public var from: String
        public var to: String
        public var isPartial: Bool
        /// By customers who had never had any.
        public var gained: Int
        /// By customers who had had some before.
        public var regained: Int
        public var lost: Int
        /// To a higher plan.
        public var raised: Int
        /// To a lower plan.
        public var lowered: Int

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
