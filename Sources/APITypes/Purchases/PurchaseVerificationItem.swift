public import Foundation

/// The verification of a proof of purchase: `POST /admin/purchases`, `GET /admin/purchases/{id}`.
public struct PurchaseVerificationItem: Resource {
    public var id: UUID
    public var status: String
    public var message: String
    public var problem: String?
    public var worthless: [WorthlessProof]
    public var customerId: String?
    public var appAccountToken: UUID?
    public var requestedAt: Date
    public var provisionalUntil: Date?
    public var isTrialEligible: Bool
    public var purchases: [ClaimedPurchase]
    public var access: CustomerAccess

    public static let fields = Fields<Self> {
        Field("id", \.id, "Ask again under it.")
        Field(
            "status",
            \.status,
            """
            `PENDING`: the store has not answered, and nothing is proven. `PROVISIONAL`: its signature holds, and it has not answered. \
            Both are asked for again until it does.
            """,
            .oneOf(Vocabulary.verificationStatuses)
        )
        Field("message", \.message, "The same in a sentence, for people.")
        Field(
            "problem",
            \.problem,
            "Why it was rejected, or what keeps it waiting; of `VERIFIED`: what of it is not in the app's catalogue, which is tried again."
        )
        Field("worthless", \.worthless, "Items of the proof that prove nothing; the others are taken all the same.")
        Field(
            "customerId",
            \.customerId,
            "The app's id of the customer who has the purchases: another one where two are one."
        )
        Field(
            "appAccountToken",
            \.appAccountToken,
            "What the app passes to the store with the customer's next purchase."
        )
        Field("requestedAt", \.requestedAt)
        Field("provisionalUntil", \.provisionalUntil, "Until when what is not confirmed gives access.")
        Field(
            "isTrialEligible",
            \.isTrialEligible,
            "Whether neither the customer nor their account at the store had a free trial."
        )
        Field("purchases", \.purchases)
        Field("access", \.access, "What the customer may use now.")
    }

    public init(
        id: UUID,
        status: String,
        message: String,
        problem: String?,
        worthless: [WorthlessProof],
        customerId: String?,
        appAccountToken: UUID?,
        requestedAt: Date,
        provisionalUntil: Date?,
        isTrialEligible: Bool,
        purchases: [ClaimedPurchase],
        access: CustomerAccess
    ) {
        self.id = id
        self.status = status
        self.message = message
        self.problem = problem
        self.worthless = worthless
        self.customerId = customerId
        self.appAccountToken = appAccountToken
        self.requestedAt = requestedAt
        self.provisionalUntil = provisionalUntil
        self.isTrialEligible = isTrialEligible
        self.purchases = purchases
        self.access = access
    }

    /// One purchase that the proof is of.
    public struct ClaimedPurchase: Resource {
        public var subscriptionId: UUID
        public var originalTransactionId: String
        public var productId: String?
        public var status: String
        public var expiresAt: Date?
        public var claim: String

        public static let fields = Fields<Self> {
            Field("subscriptionId", \.subscriptionId)
            Field("originalTransactionId", \.originalTransactionId)
            Field("productId", \.productId, "The store's product identifier.")
            Field("status", \.status, .oneOf(Vocabulary.subscriptionStatuses))
            Field("expiresAt", \.expiresAt, "The end of what is paid for.")
            Field(
                "claim",
                \.claim,
                """
                `HELD`: it is the customer's. `JOINED`: it is, and another record turned out to be of the same customer. `MOVED`: it is, and \
                was a device's or a deleted account's before. `TRANSFERRED`: it was another account's, and is the device's by the app's \
                setting. `SHARED`: it is another account's, and the device has access by the app's setting. `REFUSED`: it is another \
                customer's; staff can transfer it. `UNPROVEN`: nothing that was sent proves it.
                """,
                .oneOf(["HELD", "JOINED", "MOVED", "TRANSFERRED", "SHARED", "REFUSED", "UNPROVEN"])
            )
        }

        public init(
            subscriptionId: UUID,
            originalTransactionId: String,
            productId: String?,
            status: String,
            expiresAt: Date?,
            claim: String
        ) {
            self.subscriptionId = subscriptionId
            self.originalTransactionId = originalTransactionId
            self.productId = productId
            self.status = status
            self.expiresAt = expiresAt
            self.claim = claim
        }
    }
}
