/// A customer's usage of their plan, as the llm-proxy document shows it.
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
        public var current: Int64
        public var limit: Int64?
        public var percentage: Double?

        public static let fields = Fields<Self> {
            Field("current", \.current, "Used in this month so far, with what is reserved.")
            Field("limit", \.limit, "With what staff gave beyond the plan's; null for no limit.")
            Field("percentage", \.percentage, "How much of the limit is used, to a tenth: 4.5; null for no limit.")
        }

        public init(current: Int64, limit: Int64?, percentage: Double?) {
            self.current = current
            self.limit = limit
            self.percentage = percentage
        }
    }
}
