public import Foundation

/// A reservation of usage for work under way: `POST /usage/{feature}/reservations`.
public struct UsageReservationRequest: Decodable, Sendable, Hashable {
    public var quantity: Int64?
    public var expiresIn: Int64?

    public static let body = RequestBody(
        of: Self.self,
        required: [],
        optional: [
            .init("quantity", \.quantity, "How many at most; 1 when nobody says.", .range(1, 1_000_000)),
            .init(
                "expiresIn",
                \.expiresIn,
                "The seconds after which it is given back by itself; 300 when nobody says.",
                .range(1, 86_400)
            ),
        ]
    )
}

/// The used part of a reservation: `POST /usage/{feature}/reservations/{id}/settle`.
public struct UsageSettlementRequest: Decodable, Sendable, Hashable {
    public var quantity: Int64?

    public static let body = RequestBody(
        of: Self.self,
        required: [],
        optional: [
            .init(
                "quantity",
                \.quantity,
                "How many were used, at most as many as were reserved; all of them when nobody says.",
                .range(0, 1_000_000)
            )
        ]
    )
}

/// A reservation, which counts as used until it ends.
public struct ReservedUsage: Resource {
    public var id: UUID
    public var feature: String
    public var quantity: Int64
    public var expiresAt: Date
    public var window: String
    public var used: Int64
    public var limit: Int64?
    public var remaining: Int64?
    public var resetsAt: Date?
    public var windows: [CurrentUsage.Window]

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("feature", \.feature, "Its code.")
        Field("quantity", \.quantity, "How many are held.")
        Field("expiresAt", \.expiresAt, "When they are given back by themselves.")
        Field(
            "window",
            \.window,
            "The limit with the least left, which the next four are of; `lifetime` where there is no limit.",
            .oneOf(Vocabulary.usageWindows)
        )
        Field("used", \.used, "With what is held.")
        Field("limit", \.limit, "null for none.")
        Field("remaining", \.remaining, "How many can be counted beside it; null for as many as one likes.")
        Field("resetsAt", \.resetsAt, "When it is counted anew, by the app's time zone; null for a lifetime.")
        Field("windows", \.windows, "All three, the shortest first.")
    }

    public init(
        id: UUID,
        feature: String,
        quantity: Int64,
        expiresAt: Date,
        window: String,
        used: Int64,
        limit: Int64?,
        remaining: Int64?,
        resetsAt: Date?,
        windows: [CurrentUsage.Window]
    ) {
        self.id = id
        self.feature = feature
        self.quantity = quantity
        self.expiresAt = expiresAt
        self.window = window
        self.used = used
        self.limit = limit
        self.remaining = remaining
        self.resetsAt = resetsAt
        self.windows = windows
    }
}
