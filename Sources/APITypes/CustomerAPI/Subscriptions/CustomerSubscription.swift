public import Foundation

/// The subscription of a customer: `GET /api/v1/subscription/status` and what changes it (lightgallery, "Subscription").
public struct CustomerSubscription: Resource {
    public var id: UUID?
    public var userId: UUID
    public var tier: String?
    public var billingPeriod: String?
    public var status: String
    public var startDate: Date?
    public var expiryDate: Date?
    public var autoRenew: Bool
    public var nextRenewal: UpcomingRenewal?
    public var commitment: BillingCommitment?
    public var winBackOfferIds: [String]?
    public var paymentMethod: String?
    public var lastSyncedAt: Date?

    public static let fields = Fields<Self> {
        Field(
            "id",
            \.id,
            "Of the subscription, or of the grant that decides; while the store has not answered to the first purchase, of its proof."
        )
        Field("userId", \.userId, "The customer's id.")
        Field("tier", \.tier, "The plan, in the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "billingPeriod",
            \.billingPeriod,
            "\(SubscriptionProduct.periods) null for a grant; `monthly` while the store has not said what was bought."
        )
        Field(
            "status",
            \.status,
            """
            `cancelled` has access until `expiryDate`, `expired` has none, `pending` waits for the store's answer to the only \
            purchase, or for the beginning of what was bought ahead, at `startDate`.
            """,
            .oneOf(statuses)
        )
        Field.secondsOrNull("startDate", \.startDate, "While the store has not answered, when its proof came.")
        Field.secondsOrNull(
            "expiryDate",
            \.expiryDate,
            "The end of access; null for access without end. While the store has not answered, `startDate`: nothing is given yet."
        )
        Field("autoRenew", \.autoRenew)
        Field.ifAny("nextRenewal", \.nextRenewal, SubscriptionFuture.nextRenewalMeaning)
        Field.ifAny("commitment", \.commitment, SubscriptionFuture.commitmentMeaning)
        Field.ifAny("winBackOfferIds", \.winBackOfferIds, SubscriptionFuture.winBackMeaning)
        Field(
            "paymentMethod",
            \.paymentMethod,
            "`grant` for what was given. Values may be added.",
            .oneOf(Vocabulary.paymentMethods + ["grant"])
        )
        Field.secondsOrNull("lastSyncedAt", \.lastSyncedAt, "When the store was last asked or heard of.")
    }

    public static let statuses = ["active", "expired", "cancelled", "pending"]

    public init(
        id: UUID?,
        userId: UUID,
        tier: String?,
        billingPeriod: String?,
        status: String,
        startDate: Date?,
        expiryDate: Date?,
        autoRenew: Bool,
        future: SubscriptionFuture = SubscriptionFuture(),
        paymentMethod: String?,
        lastSyncedAt: Date?
    ) {
        self.id = id
        self.userId = userId
        self.tier = tier
        self.billingPeriod = billingPeriod
        self.status = status
        self.startDate = startDate
        self.expiryDate = expiryDate
        self.autoRenew = autoRenew
        (nextRenewal, commitment) = (future.nextRenewal, future.commitment)
        winBackOfferIds = future.winBackOfferIds.isEmpty ? nil : future.winBackOfferIds
        self.paymentMethod = paymentMethod
        self.lastSyncedAt = lastSyncedAt
    }
}
