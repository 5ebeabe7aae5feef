/// `GET /admin/metrics/health`: how well the service itself works. Definitions: docs/metrics.md.
public struct HealthReport: Codable, Hashable, Sendable {
    public var version: Int
    public var timeZone: String
    /// `day`, `week` or `month`.
    public var span: String
    /// Until when it was counted; null where nothing was.
    public var writtenAt: String?
    public var metrics: [Metric]
    /// The slowest first.
    public var routes: [Route]

    /// A metric and its target.
    public struct Metric: Codable, Hashable, Sendable {
        public var metric: String
        /// `percent`, `seconds` or `count`.
        public var unit: String
        /// Over the whole time; null where nothing was counted.
        public var value: Double?
        public var target: Target
        /// Null where nothing was counted.
        public var isMet: Bool?
        /// How many tries, answers or notifications it was counted from.
        public var count: Int
        public var history: [Period]

        public init(
            metric: String,
            unit: String,
            value: Double?,
            target: Target,
            isMet: Bool?,
            count: Int,
            history: [Period]
        ) {
            self.metric = metric
            self.unit = unit
            self.value = value
            self.target = target
            self.isMet = isMet
            self.count = count
            self.history = history
        }
    }

    /// The target of a metric.
    public struct Target: Codable, Hashable, Sendable {
        /// `above`, `below` or `atMost`.
        public var kind: String
        public var limit: Double

        public init(kind: String, limit: Double) {
            self.kind = kind
            self.limit = limit
        }
    }

    /// An hour, or a business day.
    public struct Period: Codable, Hashable, Sendable {
        /// Its beginning: a moment for an hour, a date for a day.
        public var from: String
        public var isPartial: Bool
        public var value: Double?
        public var count: Int

        public init(from: String, isPartial: Bool, value: Double?, count: Int) {
            self.from = from
            self.isPartial = isPartial
            self.value = value
            self.count = count
        }
    }

    /// How long the answers of one route took, in seconds.
    public struct Route: Codable, Hashable, Sendable {
        public var method: String
        public var route: String
        public var requests: Int
        public var serverErrors: Int
        public var p50: Double
        public var p95: Double
        public var p99: Double
        public var isAboveTarget: Bool

        public init(
            method: String,
            route: String,
            requests: Int,
            serverErrors: Int,
            p50: Double,
            p95: Double,
            p99: Double,
            isAboveTarget: Bool
        ) {
            self.method = method
            self.route = route
            self.requests = requests
            self.serverErrors = serverErrors
            self.p50 = p50
            self.p95 = p95
            self.p99 = p99
            self.isAboveTarget = isAboveTarget
        }
    }

    public init(
        version: Int,
        timeZone: String,
        span: String,
        writtenAt: String?,
        metrics: [Metric],
        routes: [Route]
    ) {
        self.version = version
        self.timeZone = timeZone
        self.span = span
        self.writtenAt = writtenAt
        self.metrics = metrics
        self.routes = routes
    }
}
