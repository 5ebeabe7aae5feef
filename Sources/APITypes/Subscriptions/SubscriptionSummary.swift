public import Foundation

/// One subscription at a store, as `GET /admin/subscriptions` shows it.
public struct SubscriptionSummary: Resource {
    public var id: UUID
    public var userId: UUID
    public var planType: String?
    public var productId: String?
    public var productName: String?
    public var status: String
    public var source: String
    public var environment: String
    public var originalTransactionId: String
    public var startedAt: Date
    public var expiresAt: Date?
    public var gracePeriodExpiresAt: Date?
    public var cancelledAt: Date?
    public var trialStartedAt: Date?
    public var trialEndsAt: Date?
    public var willRenew: Bool
    public var nextRenewal: UpcomingRenewal?
    public var commitment: BillingCommitment?
    public var winBackOfferIds: [String]
    public var isAssigned: Bool
    public var seats: SeatSummary?
    public var createdAt: Date
    public var updatedAt: Date

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("userId", \.userId)
        Field("planType", \.planType, "null while no transaction has named a product.")
        Field("productId", \.productId, "The store's product identifier.")
        Field("productName", \.productName)
        Field(
            "status",
            \.status,
            "As it is now, also where the store has not said so yet.",
            .oneOf(Vocabulary.subscriptionStatuses)
        )
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("environment", \.environment, .oneOf(Vocabulary.environments))
        Field("originalTransactionId", \.originalTransactionId)
        Field("startedAt", \.startedAt)
        Field("expiresAt", \.expiresAt, "The end of what is paid for.")
        Field("gracePeriodExpiresAt", \.gracePeriodExpiresAt)
        Field("cancelledAt", \.cancelledAt)
        Field("trialStartedAt", \.trialStartedAt, "Of a trial that the store gave.")
        Field("trialEndsAt", \.trialEndsAt)
        Field("willRenew", \.willRenew)
        Field("nextRenewal", \.nextRenewal, SubscriptionFuture.nextRenewalMeaning)
        Field("commitment", \.commitment, SubscriptionFuture.commitmentMeaning)
        Field("winBackOfferIds", \.winBackOfferIds, SubscriptionFuture.winBackMeaning)
        Field("isAssigned", \.isAssigned, "Whether it is a seat of a group or an organization: somebody else pays.")
        Field("seats", \.seats, "null for what is not sold by seats, and for who only has one.")
        Field("createdAt", \.createdAt, "When we first heard of it.")
        Field("updatedAt", \.updatedAt, "When we last heard something new of it.")
    }

    public init(
        id: UUID,
        userId: UUID,
        planType: String?,
        productId: String?,
        productName: String?,
        status: String,
        source: String,
        environment: String,
        originalTransactionId: String,
        startedAt: Date,
        expiresAt: Date?,
        gracePeriodExpiresAt: Date?,
        cancelledAt: Date?,
        trialStartedAt: Date?,
        trialEndsAt: Date?,
        willRenew: Bool,
        future: SubscriptionFuture,
        isAssigned: Bool = false,
        seats: SeatSummary? = nil,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.userId = userId
        self.planType = planType
        self.productId = productId
        self.productName = productName
        self.status = status
        self.source = source
        self.environment = environment
        self.originalTransactionId = originalTransactionId
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.gracePeriodExpiresAt = gracePeriodExpiresAt
        self.cancelledAt = cancelledAt
        self.trialStartedAt = trialStartedAt
        self.trialEndsAt = trialEndsAt
        self.willRenew = willRenew
        nextRenewal = future.nextRenewal
        commitment = future.commitment
        winBackOfferIds = future.winBackOfferIds
        self.isAssigned = isAssigned
        self.seats = seats
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A page of subscriptions.
public struct SubscriptionPage: Resource {
    public var subscriptions: [SubscriptionSummary]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("subscriptions", \.subscriptions)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(subscriptions: [SubscriptionSummary], next: String?) {
        self.subscriptions = subscriptions
        self.next = next
    }
}
