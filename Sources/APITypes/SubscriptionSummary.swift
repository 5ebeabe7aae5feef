public import Foundation

/// One subscription at a store, as `GET /admin/subscriptions` shows it.
public struct SubscriptionSummary: Codable, Hashable, Sendable {
    public var id: UUID
    public var userId: UUID
    /// nil while no transaction has named a product.
    public var planType: String?
    /// The store's product identifier.
    public var productId: String?
    public var productName: String?
    /// As it is now, also where the store has not said so yet.
    public var status: String
    public var source: String
    /// `PRODUCTION` or `SANDBOX`.
    public var environment: String
    public var originalTransactionId: String
    public var startedAt: Date
    /// The end of what is paid for.
    public var expiresAt: Date?
    public var gracePeriodExpiresAt: Date?
    public var cancelledAt: Date?
    public var willRenew: Bool

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
        willRenew: Bool
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
        self.willRenew = willRenew
    }
}

/// A page of subscriptions.
public struct SubscriptionPage: Codable, Hashable, Sendable {
    public var subscriptions: [SubscriptionSummary]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(subscriptions: [SubscriptionSummary], next: String?) {
        self.subscriptions = subscriptions
        self.next = next
    }
}
