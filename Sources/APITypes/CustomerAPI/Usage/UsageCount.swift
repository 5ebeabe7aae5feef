public import Foundation

/// A customer's use of a feature: `POST /usage/ai`, `POST /usage/voice-chat`, …
public struct UsageRequest: Decodable, Sendable, Hashable {
    public var quantity: Int64?
    public var occurredAt: String?

    public init(quantity: Int64? = nil, occurredAt: String? = nil) {
        (self.quantity, self.occurredAt) = (quantity, occurredAt)
    }

    public static let body = RequestBody(
        of: Self.self,
        required: [],
        optional: [
            .init("quantity", \.quantity, "How many; 1 when nobody says.", .range(1, 1_000_000)),
            .init(
                "occurredAt",
                \.occurredAt,
                """
                Of what was counted offline: when it happened, at most 40 days ago. It is counted in the day and month in which it \
                happened, also beyond a limit. Left out for what is to happen now.
                """,
                .format("date-time")
            ),
        ]
    )
}

/// The counted usage, and the rest of the limit.
public struct UsageCount: Resource {
    public var feature: String
    public var allowed: Bool
    public var quantity: Int64
    public var offline: Bool
    public var window: String
    public var used: Int64
    public var limit: Int64?
    public var remaining: Int64?
    public var resetsAt: Date?
    public var windows: [CurrentUsage.Window]
    public var creditsSpent: Int64
    public var creditsLeft: Int64?

    public static let fields = Fields<Self> {
        Field("feature", \.feature, "Its code.")
        Field("allowed", \.allowed, "Always true; what is not allowed is a problem.")
        Field("quantity", \.quantity, "How many were counted.")
        Field("offline", \.offline, "Whether it was counted afterwards, as `occurredAt` said.")
        Field(
            "window",
            \.window,
            "The limit with the least left, which the next four are of; `lifetime` where there is no limit.",
            .oneOf(Vocabulary.usageWindows)
        )
        Field("used", \.used, "With what was counted.")
        Field("limit", \.limit, "null for none.")
        Field("remaining", \.remaining, "How many the limit leaves after this; null for as many as one likes.")
        Field("resetsAt", \.resetsAt, "When it is counted anew, by the app's time zone; null for a lifetime.")
        Field("windows", \.windows, "All three, the shortest first.")
        Field("creditsSpent", \.creditsSpent, "How many of them the customer's credits paid, as the plan had no room.")
        Field("creditsLeft", \.creditsLeft, "How many credits are left after that; null where none were spent.")
    }

    public init(
        feature: String,
        allowed: Bool,
        quantity: Int64,
        offline: Bool,
        window: String,
        used: Int64,
        limit: Int64?,
        remaining: Int64?,
        resetsAt: Date?,
        windows: [CurrentUsage.Window],
        creditsSpent: Int64 = 0,
        creditsLeft: Int64? = nil
    ) {
        self.feature = feature
        self.allowed = allowed
        self.quantity = quantity
        self.offline = offline
        self.window = window
        self.used = used
        self.limit = limit
        self.remaining = remaining
        self.resetsAt = resetsAt
        self.windows = windows
        self.creditsSpent = creditsSpent
        self.creditsLeft = creditsLeft
    }
}
