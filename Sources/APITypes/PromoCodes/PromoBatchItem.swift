public import Foundation

/// A batch of promo codes, as `GET /admin/promo-codes` shows it.
public struct PromoBatchItem: Resource {
    public var id: UUID
    public var name: String
    public var channel: String
    public var state: String
    public var planType: String
    public var days: Int
    public var codes: Int
    public var usesPerCode: Int
    public var usesPerCustomer: Int
    public var startsAt: Date?
    public var expiresAt: Date?
    public var createdBy: String
    public var createdAt: Date
    public var stoppedBy: String?
    public var stoppedAt: Date?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("name", \.name, "As customers read it.")
        Field("channel", \.channel, "Where the codes are handed out.")
        Field("state", \.state, "Values may be added.", .oneOf(Vocabulary.promoStates))
        Field("planType", \.planType, "What each code gives.")
        Field("days", \.days, "For how many days.")
        Field("codes", \.codes, "How many there are.")
        Field("usesPerCode", \.usesPerCode, "How often each can be redeemed.")
        Field("usesPerCustomer", \.usesPerCustomer, "How many of them one customer can redeem.")
        Field("startsAt", \.startsAt, "null for at once.")
        Field("expiresAt", \.expiresAt, "From when on none can be redeemed; null for no end.")
        Field("createdBy", \.createdBy)
        Field("createdAt", \.createdAt)
        Field("stoppedBy", \.stoppedBy)
        Field("stoppedAt", \.stoppedAt, "null while it goes on.")
    }

    public init(
        id: UUID,
        name: String,
        channel: String,
        state: String,
        planType: String,
        days: Int,
        codes: Int,
        usesPerCode: Int,
        usesPerCustomer: Int,
        startsAt: Date?,
        expiresAt: Date?,
        createdBy: String,
        createdAt: Date,
        stoppedBy: String?,
        stoppedAt: Date?
    ) {
        self.id = id
        self.name = name
        self.channel = channel
        self.state = state
        self.planType = planType
        self.days = days
        self.codes = codes
        self.usesPerCode = usesPerCode
        self.usesPerCustomer = usesPerCustomer
        self.startsAt = startsAt
        self.expiresAt = expiresAt
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.stoppedBy = stoppedBy
        self.stoppedAt = stoppedAt
    }
}

/// A page of batches.
public struct PromoBatchPage: Resource {
    public var batches: [PromoBatchItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("batches", \.batches)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(batches: [PromoBatchItem], next: String?) {
        self.batches = batches
        self.next = next
    }
}

/// The request body of `POST /admin/promo-codes`.
public struct NewPromoBatchRequest: Decodable, Sendable, Hashable {
    public var name: String?
    public var channel: String?
    public var planType: String?
    public var days: Int64?
    public var codes: Int64?
    public var usesPerCode: Int64?
    public var usesPerCustomer: Int64?
    public var startsAt: String?
    public var expiresAt: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [
            .init("name", \.name, "As customers read it.", .length(1, 100), .example(.string("Spring fair"))),
            .init("channel", \.channel, "Where the codes are handed out.", .length(1, 50), .example(.string("fair"))),
            .init("planType", \.planType, "What each code gives.", .example(.string("PRO"))),
            .init("days", \.days, "For how many days.", .range(1, 3_650)),
            .init("codes", \.codes, "How many codes are made.", .range(1, 100_000)),
        ],
        optional: [
            .init(
                "usesPerCode",
                \.usesPerCode,
                "How often each can be redeemed; 1 when nobody says.",
                .range(1, 1_000_000)
            ),
            .init(
                "usesPerCustomer",
                \.usesPerCustomer,
                "How many of them one customer can redeem; 1 when nobody says.",
                .range(1, 100)
            ),
            .init("startsAt", \.startsAt, "From when on; at once when nobody says.", .format("date-time")),
            .init("expiresAt", \.expiresAt, "Until when; without end when nobody says.", .format("date-time")),
        ]
    )
}

/// The reason to stop or resume a batch: `POST /admin/promo-codes/{id}/stop` and `/resume`.
public struct PromoBatchChangeRequest: ReasonedRequest, Hashable {
    public var category: String?
    public var reason: String?

    public static let body = RequestBody(of: Self.self, required: [.category, .reason])
}
