public import Foundation

/// The purchases under an order id of Apple, as `GET /admin/stores/apple/orders/{order}` shows them.
public struct AppleOrder: Resource {
    public var appleOrderId: String
    public var transactions: [Transaction]

    public static let fields = Fields<Self> {
        Field("appleOrderId", \.appleOrderId, .example(.string("MK5TTTVWJH")))
        Field("transactions", \.transactions)
    }

    public init(appleOrderId: String, transactions: [Transaction]) {
        self.appleOrderId = appleOrderId
        self.transactions = transactions
    }

    /// One of its transactions, as Apple says it, and what is here of it.
    public struct Transaction: Resource {
        public var appleTransactionId: String
        public var appleOriginalTransactionId: String
        public var productId: String?
        public var amount: Amount?
        public var currency: String?
        public var purchasedAt: Date?
        public var expiresAt: Date?
        public var revokedAt: Date?
        public var orderNumber: String?
        public var userId: UUID?
        public var subscriptionId: UUID?

        public static let fields = Fields<Self> {
            Field("appleTransactionId", \.appleTransactionId)
            Field("appleOriginalTransactionId", \.appleOriginalTransactionId)
            Field("productId", \.productId, "The store's product identifier.")
            Field("amount", \.amount, "What was charged; null where Apple does not say it.")
            Field("currency", \.currency, "ISO 4217.", .currencyCode)
            Field("purchasedAt", \.purchasedAt)
            Field("expiresAt", \.expiresAt)
            Field("revokedAt", \.revokedAt, "When it was refunded, or taken from the family.")
            Field("orderNumber", \.orderNumber, "The order here; null for what is not known here.")
            Field("userId", \.userId)
            Field("subscriptionId", \.subscriptionId)
        }

        public init(
            appleTransactionId: String,
            appleOriginalTransactionId: String,
            productId: String?,
            amount: Amount?,
            currency: String?,
            purchasedAt: Date?,
            expiresAt: Date?,
            revokedAt: Date?,
            orderNumber: String?,
            userId: UUID?,
            subscriptionId: UUID?
        ) {
            self.appleTransactionId = appleTransactionId
            self.appleOriginalTransactionId = appleOriginalTransactionId
            self.productId = productId
            self.amount = amount
            self.currency = currency
            self.purchasedAt = purchasedAt
            self.expiresAt = expiresAt
            self.revokedAt = revokedAt
            self.orderNumber = orderNumber
            self.userId = userId
            self.subscriptionId = subscriptionId
        }
    }
}

/// The request body of `POST /admin/stores/apple/account-tokens`.
public struct AccountTokenRequest: ReasonedRequest, Hashable {
    public var appleOriginalTransactionId: String?
    public var appAccountToken: UUID?
    public var environment: String?
    public var category: String?
    public var reason: String?

    public static let body = RequestBody(
        required: [
            .init(
                "appleOriginalTransactionId",
                \Self.appleOriginalTransactionId,
                "Of the purchase.",
                .length(1, 64),
                .example(.string("2000000820000001"))
            ),
            .init("appAccountToken", \Self.appAccountToken, "The app's UUID of the account."), .category, .reason,
        ],
        optional: [
            .init(
                "environment",
                \Self.environment,
                "Where it was bought; without it production is asked first, then the sandbox.",
                .oneOf(Vocabulary.environments)
            )
        ]
    )

    public init(
        appleOriginalTransactionId: String?,
        appAccountToken: UUID?,
        environment: String? = nil,
        category: String?,
        reason: String?
    ) {
        self.appleOriginalTransactionId = appleOriginalTransactionId
        self.appAccountToken = appAccountToken
        self.environment = environment
        self.category = category
        self.reason = reason
    }
}

/// The account token that Apple was given.
public struct AccountTokenResult: Resource {
    public var appleOriginalTransactionId: String
    public var appAccountToken: UUID
    public var auditEntryId: UUID

    public static let fields = Fields<Self> {
        Field("appleOriginalTransactionId", \.appleOriginalTransactionId)
        Field("appAccountToken", \.appAccountToken)
        Field("auditEntryId", \.auditEntryId)
    }

    public init(appleOriginalTransactionId: String, appAccountToken: UUID, auditEntryId: UUID) {
        self.appleOriginalTransactionId = appleOriginalTransactionId
        self.appAccountToken = appAccountToken
        self.auditEntryId = auditEntryId
    }
}
