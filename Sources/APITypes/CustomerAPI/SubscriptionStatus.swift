public import Foundation

/// The subscription of a customer as their app sees it (readmigo, "订阅数据模型"): what decides now among all they hold, or what
/// ended last.
public struct SubscriptionStatus: Resource {
    public var userId: UUID
    public var externalId: String?
    public var planType: String?
    public var status: String
    public var source: String?
    public var productId: String?
    public var originalTransactionId: String?
    public var startedAt: Date?
    public var expiresAt: Date?
    public var cancelledAt: Date?
    public var trialStartedAt: Date?
    public var trialEndsAt: Date?
    public var willRenew: Bool
    public var appAccountToken: UUID?
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("userId", \.userId, "The customer's id.")
        Field("externalId", \.externalId, "The app's own id of the customer; null for somebody whom it has not named.")
        Field("planType", \.planType, "In the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "status",
            \.status,
            "Of the plan that everybody has it is `ACTIVE`, unless something ended before. Values may be added.",
            .oneOf(Vocabulary.subscriptionStatuses)
        )
        Field("source", \.source, "null for the plan that everybody has.", .oneOf(Vocabulary.sources + ["GRANT"]))
        Field("productId", \.productId, "The store's product identifier.")
        Field("originalTransactionId", \.originalTransactionId)
        Field("startedAt", \.startedAt)
        Field("expiresAt", \.expiresAt, "The end of access; null also for access without end.")
        Field("cancelledAt", \.cancelledAt, "When renewal was turned off.")
        Field("trialStartedAt", \.trialStartedAt)
        Field("trialEndsAt", \.trialEndsAt)
        Field("willRenew", \.willRenew)
        Field("appAccountToken", \.appAccountToken, "What the app passes to the store with the next purchase.")
        Field("serverTime", \.serverTime)
    }

    public init(
        userId: UUID,
        externalId: String?,
        planType: String?,
        status: String,
        source: String?,
        productId: String?,
        originalTransactionId: String?,
        startedAt: Date?,
        expiresAt: Date?,
        cancelledAt: Date?,
        trialStartedAt: Date?,
        trialEndsAt: Date?,
        willRenew: Bool,
        appAccountToken: UUID?,
        serverTime: Date
    ) {
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
        self.appAccountToken = appAccountToken
        self.serverTime = serverTime
    }
}
