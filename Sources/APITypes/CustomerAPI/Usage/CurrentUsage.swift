public import Foundation

/// A customer's usage: `GET /usage/current` (readmigo, "用量追踪").
public struct CurrentUsage: Resource {
    public var planType: String?
    public var features: [Feature]
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("planType", \.planType, "In the app's own spelling. Without access, the plan that everybody has.")
        Field("features", \.features, "Every feature of the app, included or not, in the order of its catalogue.")
        Field("serverTime", \.serverTime)
    }

    public init(planType: String?, features: [Feature], serverTime: Date) {
        self.planType = planType
        self.features = features
        self.serverTime = serverTime
    }

    /// One feature.
    public struct Feature: Resource {
        public var feature: String
        public var included: Bool
        public var allowed: Bool
        public var requiredPlan: String?
        public var window: String
        public var used: Int64
        public var limit: Int64?
        public var remaining: Int64?
        public var resetsAt: Date?
        public var windows: [Window]
        public var credits: LeftCredits?

        public static let fields = Fields<Self> {
            Field("feature", \.feature, "Its code.")
            Field("included", \.included, "Whether the customer's plan includes it.")
            Field("allowed", \.allowed, "Whether one more would be counted now.")
            Field(
                "requiredPlan",
                \.requiredPlan,
                "The lowest plan that includes it, where this one does not; null also where none does."
            )
            Field(
                "window",
                \.window,
                "The limit with the least left, which the next four are of; `lifetime` where there is no limit.",
                .oneOf(Vocabulary.usageWindows)
            )
            Field("used", \.used)
            Field("limit", \.limit, "null for none.")
            Field(
                "remaining",
                \.remaining,
                "How many can be counted now, with the credits; null for as many as one likes."
            )
            Field("resetsAt", \.resetsAt, "When it is counted anew, by the app's time zone; null for a lifetime.")
            Field("windows", \.windows, "All three, the shortest first.")
            Field("credits", \.credits, "Beside the plan's limits; null where nothing is left or owed.")
        }

        public init(
            feature: String,
            included: Bool,
            allowed: Bool,
            requiredPlan: String?,
            window: String,
            used: Int64,
            limit: Int64?,
            remaining: Int64?,
            resetsAt: Date?,
            windows: [Window],
            credits: LeftCredits? = nil
        ) {
            self.feature = feature
            self.included = included
            self.allowed = allowed
            self.requiredPlan = requiredPlan
            self.window = window
            self.used = used
            self.limit = limit
            self.remaining = remaining
            self.resetsAt = resetsAt
            self.windows = windows
            self.credits = credits
        }
    }

    /// Usage in the current day or month, or in all time.
    public struct Window: Resource {
        public var window: String
        public var used: Int64
        public var limit: Int64?
        public var remaining: Int64?
        public var resetsAt: Date?

        public static let fields = Fields<Self> {
            Field("window", \.window, .oneOf(Vocabulary.usageWindows))
            Field("used", \.used)
            Field("limit", \.limit, "null for none.")
            Field("remaining", \.remaining, "Zero where more was used than the limit; null without a limit.")
            Field("resetsAt", \.resetsAt, "null for a lifetime.")
        }

        public init(window: String, used: Int64, limit: Int64?, remaining: Int64?, resetsAt: Date?) {
            self.window = window
            self.used = used
            self.limit = limit
            self.remaining = remaining
            self.resetsAt = resetsAt
        }
    }
}
