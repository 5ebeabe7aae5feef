public import Foundation

/// The body of `POST /customers/{externalId}/seats`.
public struct SeatClaimRequest: Decodable, Sendable, Hashable {
    public var member: String?
    public var originalTransactionId: String?
    public var appTransactionId: String?

    public static let body = RequestBody(
        of: Self.self,
        required: [.init("member", \.member, "The app's own id of the member.", .length(1, 255))],
        optional: [
            .init(
                "originalTransactionId",
                \.originalTransactionId,
                "Which group, where the customer bought several; without it, the one that runs."
            ),
            .init(
                "appTransactionId",
                \.appTransactionId,
                "The member's at the App Store, where the app knows it; sent later with the same member, the store is told later."
            ),
        ]
    )
}

/// A member's seat of a group.
public struct Seat: Resource {
    public var id: UUID
    public var member: String?
    public var memberId: UUID
    public var originalTransactionId: String
    public var status: String
    public var requestedAt: Date
    public var heldSince: Date?
    public var endedAt: Date?
    public var endedBy: String?
    public var error: String?

    public static let fields = Fields<Self> {
        Field("id", \.id, "Of the claim. Who comes back has another.")
        Field("member", \.member, "The app's own id of the member; null where it has none any more.")
        Field("memberId", \.memberId, "Our id of the member.")
        Field("originalTransactionId", \.originalTransactionId, "The group, by the store's number of its subscription.")
        Field(
            "status",
            \.status,
            "`PENDING`: the store has not answered, and is asked on; no access yet. `HELD`: access while the group's subscription gives it.",
            .oneOf(["PENDING", "HELD", "ENDED"])
        )
        Field("requestedAt", \.requestedAt)
        Field("heldSince", \.heldSince, "When the store gave it; null of every other.")
        Field("endedAt", \.endedAt)
        Field("endedBy", \.endedBy, "What ended it. Values may be added.", .oneOf(endings))
        Field(
            "error",
            \.error,
            "What the store said where it gave none, or says in place of an answer while it is asked on."
        )
    }

    public static let endings = [
        "LEFT", "REMOVED", "UNCLAIMED", "MISSING", "REFUSED", "NO_SEATS", "SURPLUS", "MERGED", "DELETED",
    ]

    public init(
        id: UUID,
        member: String?,
        memberId: UUID,
        originalTransactionId: String,
        status: String,
        requestedAt: Date,
        heldSince: Date?,
        endedAt: Date?,
        endedBy: String?,
        error: String?
    ) {
        (self.id, self.member, self.memberId) = (id, member, memberId)
        (self.originalTransactionId, self.status, self.requestedAt) = (originalTransactionId, status, requestedAt)
        (self.heldSince, self.endedAt, self.endedBy, self.error) = (heldSince, endedAt, endedBy, error)
    }
}

/// A group that a customer bought, with who has its seats.
public struct GroupSeats: Resource {
    public var originalTransactionId: String
    public var isRunning: Bool
    public var seats: SeatSummary
    public var claims: [Seat]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("originalTransactionId", \.originalTransactionId, "The store's number of the subscription.")
        Field("isRunning", \.isRunning, "Whether it gives access, to the customer and to the members.")
        Field("seats", \.seats, "How many there are. The customer's own is one of them, and needs no claim.")
        Field("claims", \.claims, "At most 1,000, also ended ones, the newest first.")
        Field("next", \.next, "What `after` takes for the claims that follow; null where none do.")
    }

    public init(originalTransactionId: String, isRunning: Bool, seats: SeatSummary, claims: [Seat], next: String?) {
        (self.originalTransactionId, self.isRunning) = (originalTransactionId, isRunning)
        (self.seats, self.claims, self.next) = (seats, claims, next)
    }
}

/// All groups of a customer's to which the app invites.
public struct CustomerGroups: Resource {
    public var groups: [GroupSeats]

    public static let fields = Fields<Self> {
        Field("groups", \.groups, "The newest first; empty for whoever bought none.")
    }

    public init(groups: [GroupSeats]) {
        self.groups = groups
    }
}
