public import Foundation

/// The payment of an approved refund by its store.
public struct StorePayout: Resource {
    public var state: String
    public var number: String
    public var storeId: String?
    public var requested: Bool
    public var revokes: Bool
    public var obstacle: String?
    public var sentAt: Date?
    public var askedAt: Date?
    public var paidAt: Date?
    public var steps: [PayoutStep]

    public static let fields = Fields<Self> {
        Field(
            "state",
            \.state,
            "Where it stands; while it is `SENT` or `PROCESSING` nobody pays in another way.",
            .oneOf(Vocabulary.payoutStates)
        )
        Field("number", \.number, "Names it at the store: asked for again with it, the store pays nothing twice.")
        Field("storeId", \.storeId, "The store's own number of it.")
        Field("requested", \.requested, "False of a refund that the store told of and nobody had requested here.")
        Field("revokes", \.revokes, "Whether access ends with it, at a store that decides about access.")
        Field("obstacle", \.obstacle, "Why the store was not asked.", .oneOf(Vocabulary.payoutObstacles))
        Field("sentAt", \.sentAt, "When the store was first asked.")
        Field("askedAt", \.askedAt, "When it was asked last, or told of it.")
        Field("paidAt", \.paidAt, "When it paid, by its own clock where it says so.")
        Field("steps", \.steps, "Each step, oldest first.")
    }

    public init(
        state: String,
        number: String,
        storeId: String?,
        requested: Bool,
        revokes: Bool,
        obstacle: String?,
        sentAt: Date?,
        askedAt: Date?,
        paidAt: Date?,
        steps: [PayoutStep]
    ) {
        (self.state, self.number, self.storeId) = (state, number, storeId)
        (self.requested, self.revokes, self.obstacle) = (requested, revokes, obstacle)
        (self.sentAt, self.askedAt, self.paidAt, self.steps) = (sentAt, askedAt, paidAt, steps)
    }
}

/// One step of a payment by a store.
public struct PayoutStep: Resource {
    public var state: String
    public var at: Date
    public var words: String?

    public static let fields = Fields<Self> {
        Field("state", \.state, .oneOf(Vocabulary.payoutStates))
        Field("at", \.at)
        Field("words", \.words, "In the store's words.")
    }

    public init(state: String, at: Date, words: String?) {
        (self.state, self.at, self.words) = (state, at, words)
    }
}
