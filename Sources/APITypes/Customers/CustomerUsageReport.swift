public import Foundation

/// A customer's usage and limits, as staff see them: `GET /admin/customers/{id}/usage`.
public struct CustomerUsageReport: Resource {
    public var planType: String?
    public var features: [Feature]
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("planType", \.planType, "Without access, the plan that everybody has.")
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
        public var name: String
        public var included: Bool
        public var windows: [Window]
        public var credits: LeftCredits?

        public static let fields = Fields<Self> {
            Field("feature", \.feature, "Its code.")
            Field("name", \.name, "As the catalogue has it.")
            Field("included", \.included, "Whether the customer's plan includes it.")
            Field("windows", \.windows, "All three, the shortest first.")
            Field("credits", \.credits, "Beside the plan's limits; null where nothing is left or owed.")
        }

        public init(feature: String, name: String, included: Bool, windows: [Window], credits: LeftCredits? = nil) {
            self.feature = feature
            self.name = name
            self.included = included
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
        public var increase: Int64?
        public var increaseUntil: Date?
        public var reserved: Int64
        public var offline: Int64

        public static let fields = Fields<Self> {
            Field("window", \.window, .oneOf(Vocabulary.usageWindows))
            Field("used", \.used)
            Field("limit", \.limit, "With `increase`; null for none.")
            Field("remaining", \.remaining, "Zero where more was used than the limit; null without a limit.")
            Field("resetsAt", \.resetsAt, "null for a lifetime.")
            Field("increase", \.increase, "What staff gave beyond the plan's limit; null for nothing.")
            Field("increaseUntil", \.increaseUntil, "null also for an increase without end.")
            Field("reserved", \.reserved, "Of `used`: what is held for something under way.")
            Field("offline", \.offline, "Of `used`: what was counted offline, which no limit held.")
        }

        public init(
            window: String,
            used: Int64,
            limit: Int64?,
            remaining: Int64?,
            resetsAt: Date?,
            increase: Int64?,
            increaseUntil: Date?,
            reserved: Int64,
            offline: Int64
        ) {
            self.window = window
            self.used = used
            self.limit = limit
            self.remaining = remaining
            self.resetsAt = resetsAt
            self.increase = increase
            self.increaseUntil = increaseUntil
            self.reserved = reserved
            self.offline = offline
        }
    }
}

/// The result of a staff action on a limit.
public struct UsageChange: Resource {
    public var auditEntryId: UUID
    public var usage: CustomerUsageReport

    public static let fields = Fields<Self> {
        Field("auditEntryId", \.auditEntryId)
        Field("usage", \.usage)
    }

    public init(auditEntryId: UUID, usage: CustomerUsageReport) {
        self.auditEntryId = auditEntryId
        self.usage = usage
    }
}
