public import Foundation

/// The subscription of a customer as their app sees it (readmigo, "订阅数据模型"): what decides now among all they hold, or what
/// ended last.
public struct SubscriptionStatus: Resource {
    public var id: UUID?
    public var userId: UUID
    public var externalId: String?
    public var planType: String?
    public var status: String
    public var source: String
    public var productId: String?
    public var originalTransactionId: String?
    public var startedAt: Date?
    public var expiresAt: Date?
    public var cancelledAt: Date?
    public var trialStartedAt: Date?
    public var trialEndsAt: Date?
    public var willRenew: Bool
    public var nextRenewal: UpcomingRenewal?
    public var commitment: BillingCommitment?
    public var winBackOfferIds: [String]?
    public var createdAt: Date?
    public var updatedAt: Date?
    public var appAccountToken: UUID?
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("id", \.id, "Of the subscription, or of the grant that decides; null for who has neither.")
        Field("userId", \.userId, "The customer's id.")
        Field("externalId", \.externalId, "The app's own id of the customer; null for somebody whom it has not named.")
        Field("planType", \.planType, "In the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "status",
            \.status,
            """
            Of the plan that everybody has it is `ACTIVE`, unless something ended before; `EXPIRED` also of what was paid back, and of \
            what the store still tries to collect without a grace period. Values may be added.
            """,
            .oneOf(Vocabulary.customerStatuses)
        )
        Field(
            "source",
            \.source,
            "`NONE` for a trial that the app gives, and for the plan that everybody has. Values may be added.",
            .oneOf(Vocabulary.accessSources)
        )
        Field("productId", \.productId, "The store's product identifier.")
        Field("originalTransactionId", \.originalTransactionId)
        Field("startedAt", \.startedAt)
        Field("expiresAt", \.expiresAt, "The end of access; null also for access without end.")
        Field("cancelledAt", \.cancelledAt, "When renewal was turned off.")
        Field("trialStartedAt", \.trialStartedAt)
        Field("trialEndsAt", \.trialEndsAt)
        Field("willRenew", \.willRenew)
        Field.ifAny("nextRenewal", \.nextRenewal, SubscriptionFuture.nextRenewalMeaning)
        Field.ifAny("commitment", \.commitment, SubscriptionFuture.commitmentMeaning)
        Field.ifAny("winBackOfferIds", \.winBackOfferIds, SubscriptionFuture.winBackMeaning)
        Field("createdAt", \.createdAt, "When we first heard of it; null as `id` is.")
        Field("updatedAt", \.updatedAt, "When we last heard something new of it.")
        Field("appAccountToken", \.appAccountToken, "What the app passes to the store with the next purchase.")
        Field("serverTime", \.serverTime)
    }

    public init(
        id: UUID?,
        userId: UUID,
        externalId: String?,
        planType: String?,
        status: String,
        source: String,
        productId: String?,
        originalTransactionId: String?,
        startedAt: Date?,
        expiresAt: Date?,
        cancelledAt: Date?,
        trialStartedAt: Date?,
        trialEndsAt: Date?,
        willRenew: Bool,
        future: SubscriptionFuture = SubscriptionFuture(),
        createdAt: Date?,
        updatedAt: Date?,
        appAccountToken: UUID?,
        serverTime: Date
    ) {
        self.id = id
        self.userId = userId
        self.externalId = externalId
        self.planType = planType
        self.status = status
        self.source = source
        self.productId = productId
        self.originalTransactionId = originalTransactionId
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.cancelledAt = cancelledAt
        self.trialStartedAt = trialStartedAt
        self.trialEndsAt = trialEndsAt
        self.willRenew = willRenew
        (nextRenewal, commitment) = (future.nextRenewal, future.commitment)
        winBackOfferIds = future.winBackOfferIds.isEmpty ? nil : future.winBackOfferIds
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.appAccountToken = appAccountToken
        self.serverTime = serverTime
    }
}
