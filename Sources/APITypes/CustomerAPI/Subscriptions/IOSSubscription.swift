public import Foundation

/// A customer's current subscription, as the llm-proxy document nests it in other responses.
public struct IOSSubscription: Resource {
    public var plan: String?
    public var status: String
    public var expiresDate: Date?
    public var productId: String?
    public var transactionId: String?
    public var nextRenewal: UpcomingRenewal?
    public var commitment: BillingCommitment?
    public var winBackOfferIds: [String]?

    public static let fields = Fields<Self> {
        Field("plan", \.plan, "In the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "status",
            \.status,
            "Of the plan that everybody has it is `active`, unless something ended before. Values may be added.",
            .oneOf(Vocabulary.subscriptionStates)
        )
        Field.milliseconds("expiresDate", \.expiresDate, "The end of access; null also for access without end.")
        Field("productId", \.productId, "The store's product identifier.")
        Field("transactionId", \.transactionId, "The store's transaction that opened the current period.")
        Field.ifAny("nextRenewal", \.nextRenewal, SubscriptionFuture.nextRenewalMeaning)
        Field.ifAny("commitment", \.commitment, SubscriptionFuture.commitmentMeaning)
        Field.ifAny("winBackOfferIds", \.winBackOfferIds, SubscriptionFuture.winBackMeaning)
    }

    public init(
        plan: String?,
        status: String,
        expiresDate: Date?,
        productId: String?,
        transactionId: String?,
        future: SubscriptionFuture = SubscriptionFuture()
    ) {
        self.plan = plan
        self.status = status
        self.expiresDate = expiresDate
        self.productId = productId
        self.transactionId = transactionId
        (nextRenewal, commitment) = (future.nextRenewal, future.commitment)
        winBackOfferIds = future.winBackOfferIds.isEmpty ? nil : future.winBackOfferIds
    }
}
