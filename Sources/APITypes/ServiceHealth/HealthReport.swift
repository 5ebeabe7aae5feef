/// `GET /admin/metrics/health`: how well the service itself works. Definitions: docs/metrics.md.
public struct HealthReport: Resource {
    public var version: Int
    public var timeZone: String
    public var span: String
    public var writtenAt: String?
    public var metrics: [Metric]
    public var routes: [Route]

    public static let fields = Fields<Self> {
        Field("version", \.version, "Of the definitions; another version counts otherwise.")
        Field("timeZone", \.timeZone, "The business time zone that its days are of.")
        Field("span", \.span, .oneOf(["day", "week", "month"]))
        Field("writtenAt", \.writtenAt, "Until when it was counted; null where nothing was.", .format("date-time"))
        Field("metrics", \.metrics)
        Field("routes", \.routes, "The slowest first.")
    }

    /// A metric and its target.
    public struct Metric: Resource {
        public var metric: String
        public var unit: String
        public var value: Double?
        public var target: Target
        public var isMet: Bool?
        public var count: Int
        public var history: [Period]

        public static let fields = Fields<Self> {
            Field(
                "metric",
                \.metric,
                "What it is: docs/metrics.md, \"Health\".",
                .oneOf(["sign-ins", "payments", "answers", "synced", "applied", "failed", "queue-age"])
            )
            Field("unit", \.unit, .oneOf(["percent", "seconds", "count"]))
            Field(
                "value",
                \.value,
                "Over the whole time, of failed notifications how many there are now; null where nothing was counted."
            )
            Field("target", \.target)
            Field("isMet", \.isMet, "Null where nothing was counted.")
            Field("count", \.count, "How many the value was counted from: tries, answers, notifications, samples.")
            Field("history", \.history)
        }

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
    public struct Target: Resource {
        public var kind: String
        public var limit: Double

        public static let fields = Fields<Self> {
            Field("kind", \.kind, .oneOf(["above", "below", "atMost"]))
            Field("limit", \.limit, "In the unit of the value.")
        }

        public init(kind: String, limit: Double) {
            self.kind = kind
            self.limit = limit
        }
    }

    /// An hour, or a business day.
    public struct Period: Resource {
        public var from: String
        public var isPartial: Bool
        public var value: Double?
        public var count: Int

        public static let fields = Fields<Self> {
            Field("from", \.from, "The beginning: a moment for an hour, a date for a business day.")
            Field("isPartial", \.isPartial, "It is under way.")
            Field("value", \.value, "Null where nothing was counted.")
            Field("count", \.count, "How many the value was counted from.")
        }

        public init(from: String, isPartial: Bool, value: Double?, count: Int) {
            self.from = from
            self.isPartial = isPartial
            self.value = value
            self.count = count
        }
    }

    /// The durations, in seconds, of one route's responses.
    public struct Route: Resource {
        public var method: String
        public var route: String
        public var requests: Int
        public var serverErrors: Int
        public var p50: Double
        public var p95: Double
        public var p99: Double
        public var isAboveTarget: Bool

        public static let fields = Fields<Self> {
            Field("method", \.method)
            Field("route", \.route, "The pattern, not the path.")
            Field("requests", \.requests, "Answers.")
            Field("serverErrors", \.serverErrors, "Of these, those with a status of 500 or more.")
            Field("p50", \.p50, "Half of the answers took no longer, in seconds.")
            Field("p95", \.p95, "95 of 100 took no longer.")
            Field("p99", \.p99, "99 of 100 took no longer.")
            Field("isAboveTarget", \.isAboveTarget, "p95 is not below its target.")
        }

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
