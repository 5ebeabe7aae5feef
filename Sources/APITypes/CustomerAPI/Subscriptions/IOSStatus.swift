public import Foundation

/// A customer's current subscription: `GET /ios/status` (llm-proxy, "Get Subscription Status").
public struct IOSStatus: Resource {
    public var success: Bool
    public var data: Content

    public static let fields = Fields<Self> {
        Field("success", \.success)
        Field("data", \.data)
    }

    public init(data: Content) {
        success = true
        self.data = data
    }

    /// The subscription, what is used of it, and how far the App Store has confirmed it.
    public struct Content: Resource {
        public var plan: String?
        public var status: String
        public var platform: String?
        public var expiresDate: Date?
        public var nextRenewal: UpcomingRenewal?
        public var commitment: BillingCommitment?
        public var winBackOfferIds: [String]?
        public var usage: IOSUsage?
        public var ios: AppStore

        public static let fields = Fields<Self> {
            Field("plan", \.plan, "In the app's own spelling. Without access, the plan that everybody has.")
            Field(
                "status",
                \.status,
                "Of the plan that everybody has it is `active`, unless something ended before. Values may be added.",
                .oneOf(Vocabulary.subscriptionStates)
            )
            Field(
                "platform",
                \.platform,
                """
                Where it was bought: `ios`, `android`, `wechat`, `alipay`; `grant` for what staff gave; null for the plan that \
                everybody has. Values may be added.
                """
            )
            Field.milliseconds("expiresDate", \.expiresDate, "The end of access; null also for access without end.")
            Field.ifAny("nextRenewal", \.nextRenewal, SubscriptionFuture.nextRenewalMeaning)
            Field.ifAny("commitment", \.commitment, SubscriptionFuture.commitmentMeaning)
            Field.ifAny("winBackOfferIds", \.winBackOfferIds, SubscriptionFuture.winBackMeaning)
            Field.ifAny(
                "usage",
                \.usage,
                "What is used of the plan in this month; of an app whose features are `requests` and `tokens`."
            )
            Field("ios", \.ios)
        }

        public init(
            plan: String?,
            status: String,
            platform: String?,
            expiresDate: Date?,
            future: SubscriptionFuture = SubscriptionFuture(),
            usage: IOSUsage? = nil,
            ios: AppStore
        ) {
            self.plan = plan
            self.status = status
            self.platform = platform
            self.expiresDate = expiresDate
            (nextRenewal, commitment) = (future.nextRenewal, future.commitment)
            winBackOfferIds = future.winBackOfferIds.isEmpty ? nil : future.winBackOfferIds
            self.usage = usage
            self.ios = ios
        }
    }

    /// The latest subscription at the App Store.
    public struct AppStore: Resource {
        public var productId: String?
        public var transactionId: String?
        public var lastValidationDate: Date?
        public var needsReceiptRefresh: Bool

        public static let fields = Fields<Self> {
            Field("productId", \.productId, "null for who bought nothing there.")
            Field("transactionId", \.transactionId, "The transaction that opened the current period.")
            Field.milliseconds("lastValidationDate", \.lastValidationDate, "When the store was last asked or heard of.")
            Field(
                "needsReceiptRefresh",
                \.needsReceiptRefresh,
                """
                Whether to send the receipt: the store has not confirmed a purchase, or the end of a subscription that renews has \
                passed without word of it.
                """
            )
        }

        public init(
            productId: String?,
            transactionId: String?,
            lastValidationDate: Date?,
            needsReceiptRefresh: Bool
        ) {
            self.productId = productId
            self.transactionId = transactionId
            self.lastValidationDate = lastValidationDate
            self.needsReceiptRefresh = needsReceiptRefresh
        }
    }
}
