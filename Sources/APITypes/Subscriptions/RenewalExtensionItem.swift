public import Foundation

/// One extension of renewal dates at a store, as `GET /admin/extensions` shows it.
public struct RenewalExtensionItem: Resource {
    public var id: UUID
    public var source: String
    public var environment: String
    public var requestIdentifier: String
    public var subscriptionId: UUID?
    public var originalTransactionId: String?
    public var productId: String?
    public var storefronts: [String]?
    public var days: Int?
    public var reasonCode: String?
    public var requestedBy: String?
    public var requestedAt: Date?
    public var state: String
    public var renewsAt: Date?
    public var succeededCount: Int64?
    public var failedCount: Int64?
    public var errorCode: Int64?
    public var error: String?
    public var finishedAt: Date?
    public var unanswered: Unanswered?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("source", \.source)
        Field("environment", \.environment)
        Field(
            "requestIdentifier",
            \.requestIdentifier,
            "By which the store names it: the id of what was requested here."
        )
        Field("subscriptionId", \.subscriptionId, "null for all who subscribe to a product.")
        Field("originalTransactionId", \.originalTransactionId)
        Field("productId", \.productId, "null for one subscription.")
        Field("storefronts", \.storefronts, "Three-letter countries; null for all.")
        Field("days", \.days, "null, as who requested it when and why, for what was not requested here.", .range(1, 90))
        Field("reasonCode", \.reasonCode, "As Apple has it.", .oneOf(Vocabulary.extensionReasons))
        Field("requestedBy", \.requestedBy)
        Field("requestedAt", \.requestedAt)
        Field("state", \.state, .oneOf(Vocabulary.extensionStates))
        Field("renewsAt", \.renewsAt, "When the subscription renews now, as the store says.")
        Field("succeededCount", \.succeededCount, "Of a product's subscribers.")
        Field("failedCount", \.failedCount)
        Field("errorCode", \.errorCode, "The store's own number of its refusal.")
        Field("error", \.error)
        Field("finishedAt", \.finishedAt)
        Field(
            "unanswered",
            \.unanswered,
            "That the store has not answered for more than an hour, and is asked again; null where nothing is awaited for so long."
        )
    }

    public init(
        id: UUID,
        source: String,
        environment: String,
        requestIdentifier: String,
        subscriptionId: UUID?,
        originalTransactionId: String?,
        productId: String?,
        storefronts: [String]?,
        days: Int?,
        reasonCode: String?,
        requestedBy: String?,
        requestedAt: Date?,
        state: String,
        renewsAt: Date?,
        succeededCount: Int64?,
        failedCount: Int64?,
        errorCode: Int64?,
        error: String?,
        finishedAt: Date?,
        unanswered: Unanswered? = nil
    ) {
        self.id = id
        self.source = source
        self.environment = environment
        self.requestIdentifier = requestIdentifier
        self.subscriptionId = subscriptionId
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.storefronts = storefronts
        self.days = days
        self.reasonCode = reasonCode
        self.requestedBy = requestedBy
        self.requestedAt = requestedAt
        self.state = state
        self.renewsAt = renewsAt
        self.succeededCount = succeededCount
        self.failedCount = failedCount
        self.errorCode = errorCode
        self.error = error
        self.finishedAt = finishedAt
        self.unanswered = unanswered
    }
}

/// A page of extensions.
public struct RenewalExtensionPage: Resource {
    public var extensions: [RenewalExtensionItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("extensions", \.extensions)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(extensions: [RenewalExtensionItem], next: String?) {
        self.extensions = extensions
        self.next = next
    }
}

/// A subscription that the extension of a product's subscribers left out.
public struct ExtensionFailureItem: Resource {
    public var subscriptionId: UUID
    public var originalTransactionId: String
    public var failedAt: Date

    public static let fields = Fields<Self> {
        Field("subscriptionId", \.subscriptionId)
        Field("originalTransactionId", \.originalTransactionId)
        Field("failedAt", \.failedAt, "When the store signed it.")
    }

    public init(subscriptionId: UUID, originalTransactionId: String, failedAt: Date) {
        self.subscriptionId = subscriptionId
        self.originalTransactionId = originalTransactionId
        self.failedAt = failedAt
    }
}

/// A page of those.
public struct ExtensionFailurePage: Resource {
    public var failures: [ExtensionFailureItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("failures", \.failures)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(failures: [ExtensionFailureItem], next: String?) {
        self.failures = failures
        self.next = next
    }
}

/// The request body of `POST /admin/extensions`.
public struct NewRenewalExtension: ReasonedRequest, Hashable {
    public var subscriptionId: UUID?
    public var productId: String?
    public var environment: String?
    public var storefronts: [String]?
    public var days: Int?
    public var reasonCode: String?
    public var category: String?
    public var reason: String?

    public static let body = RequestBody(
        required: [
            .init("days", \Self.days, "By how many days.", .range(1, 90)),
            .init("reasonCode", \.reasonCode, "As Apple has it.", .oneOf(Vocabulary.extensionReasons)), .category,
            .reason,
        ],
        optional: [
            .init(
                "subscriptionId",
                \Self.subscriptionId,
                "One subscription; or else productId.",
                .example(.string("019ac5e4-6a1e-7c3f-9b52-3f8e1a7d4c60"))
            ),
            .init("productId", \.productId, "All who subscribe to this product; for admins.", .length(1, 255)),
            .init(
                "environment",
                \.environment,
                "Of a product; PRODUCTION without it.",
                .oneOf(["PRODUCTION", "SANDBOX"])
            ),
            .init("storefronts", \.storefronts, "Of a product: three-letter countries; all without it."),
        ]
    )

    public init(
        subscriptionId: UUID? = nil,
        productId: String? = nil,
        environment: String? = nil,
        storefronts: [String]? = nil,
        days: Int?,
        reasonCode: String?,
        category: String?,
        reason: String?
    ) {
        self.subscriptionId = subscriptionId
        self.productId = productId
        self.environment = environment
        self.storefronts = storefronts
        self.days = days
        self.reasonCode = reasonCode
        self.category = category
        self.reason = reason
    }
}
