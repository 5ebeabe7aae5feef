public import Foundation

/// The token of a purchase outside of the store, as `GET /admin/external-purchases` shows it.
public struct ExternalPurchase: Resource {
    public var id: UUID
    public var source: String
    public var environment: String
    public var externalPurchaseId: String
    public var state: String
    public var isDue: Bool
    public var tokenType: String?
    public var tokenCreatedAt: Date?
    public var tokenExpiresAt: Date?
    public var toldAt: Date
    public var reportedAt: Date?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("environment", \.environment, .oneOf(Vocabulary.environments))
        Field("externalPurchaseId", \.externalPurchaseId, "The store's id of the token.")
        Field("state", \.state, "By what the store said last.", .oneOf(Vocabulary.externalPurchaseStates))
        Field("isDue", \.isDue, "Nobody has reported it to the store since the store last spoke of it.")
        Field("tokenType", \.tokenType, "In the store's own words; null where it does not say.")
        Field("tokenCreatedAt", \.tokenCreatedAt)
        Field("tokenExpiresAt", \.tokenExpiresAt)
        Field("toldAt", \.toldAt, "When the store last spoke of it.")
        Field("reportedAt", \.reportedAt, "When a person last said that they had reported it.")
    }

    public init(
        id: UUID,
        source: String,
        environment: String,
        externalPurchaseId: String,
        state: String,
        isDue: Bool,
        tokenType: String?,
        tokenCreatedAt: Date?,
        tokenExpiresAt: Date?,
        toldAt: Date,
        reportedAt: Date?
    ) {
        self.id = id
        self.source = source
        self.environment = environment
        self.externalPurchaseId = externalPurchaseId
        self.state = state
        self.isDue = isDue
        self.tokenType = tokenType
        self.tokenCreatedAt = tokenCreatedAt
        self.tokenExpiresAt = tokenExpiresAt
        self.toldAt = toldAt
        self.reportedAt = reportedAt
    }
}

/// A page of them.
public struct ExternalPurchasePage: Resource {
    public var externalPurchases: [ExternalPurchase]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("externalPurchases", \.externalPurchases)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(externalPurchases: [ExternalPurchase], next: String?) {
        self.externalPurchases = externalPurchases
        self.next = next
    }
}
