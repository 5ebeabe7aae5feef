/// What a customer has used of their plan, as the llm-proxy document shows it.
public struct IOSUsage: Resource {
    public var requests: Quota
    public var tokens: Quota

    public static let fields = Fields<Self> {
        Field("requests", \.requests)
        Field("tokens", \.tokens)
    }

    public init(requests: Quota, tokens: Quota) {
        self.requests = requests
        self.tokens = tokens
    }

    /// One limit of a plan.
    public struct Quota: Resource {
        public var current: Int
        public var limit: Int?
        public var percentage: Double?

        public static let fields = Fields<Self> {
            Field("current", \.current, "Used so far.")
            Field("limit", \.limit, "null for no limit.")
            Field("percentage", \.percentage, "How much of the limit is used: 4.5; null for no limit.")
        }

        public init(current: Int, limit: Int?, percentage: Double?) {
            self.current = current
            self.limit = limit
            self.percentage = percentage
        }
    }
}
