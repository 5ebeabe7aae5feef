public import Foundation

/// The code that a customer enters: `POST /promo-codes/redeem`.
public struct PromoCodeRequest: Decodable, Sendable, Hashable {
    public var code: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init(
                "code",
                \.code,
                "As it was typed: case, width, spaces and hyphens do not count.",
                .length(1, 100),
                .example(.string("7K3M-Q9ZD-2XVA"))
            )
        ]
    )
}

/// The result of a redemption, and the customer's access since.
public struct PromoCodeRedemption: Resource {
    public var name: String
    public var granted: Granted
    public var redeemedAt: Date
    public var planType: String?
    public var expiresAt: Date?

    public static let fields = Fields<Self> {
        Field("name", \.name, "What the code's batch is called, for the customer.")
        Field("granted", \.granted)
        Field("redeemedAt", \.redeemedAt, "Earlier than now where the same customer has redeemed the code before.")
        Field(
            "planType",
            \.planType,
            "What the customer may use now, from whatever source; null for none but everybody's."
        )
        Field("expiresAt", \.expiresAt, "Until when; null also for access without end.")
    }

    /// The access that the code gave.
    public struct Granted: Resource {
        public var planType: String
        public var startsAt: Date
        public var endsAt: Date?

        public static let fields = Fields<Self> {
            Field("planType", \.planType, "In the app's own spelling.")
            Field("startsAt", \.startsAt, "Later than now where the customer has the plan or a higher one until then.")
            Field("endsAt", \.endsAt, "null where staff took the end away.")
        }

        public init(planType: String, startsAt: Date, endsAt: Date?) {
            self.planType = planType
            self.startsAt = startsAt
            self.endsAt = endsAt
        }
    }

    public init(name: String, granted: Granted, redeemedAt: Date, planType: String?, expiresAt: Date?) {
        self.name = name
        self.granted = granted
        self.redeemedAt = redeemedAt
        self.planType = planType
        self.expiresAt = expiresAt
    }
}
