public import Foundation

/// A request to give money of an order back: the fields of the readmigo document's RefundRequest table.
public struct Refund: Resource {
    public var id: UUID
    public var number: String
    public var orderId: UUID
    public var orderNumber: String
    public var type: String
    public var status: String
    public var requestedAmount: Amount
    public var approvedAmount: Amount?
    public var processedAmount: Amount?
    public var currency: String
    public var category: String
    public var reason: String?
    public var internalNote: String?
    public var reference: String?
    public var requestedBy: String
    public var openedByStore: Bool
    public var consumptionReason: String?
    public var consumptionRequestedAt: Date?
    public var consumptionLastRequestedAt: Date?
    public var consumptionDueAt: Date?
    public var refundPreference: String?
    public var storeDecision: String?
    public var storeDecidedAt: Date?
    public var decidedBy: String?
    public var decidedAt: Date?
    public var processedAt: Date?
    public var expiresAt: Date?
    public var createdAt: Date
    public var version: Int
    public var payoutState: String?
    public var unanswered: Unanswered?
    public var payout: StorePayout?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("number", \.number, "`RF-000001`", .example(.string("RF-000001")))
        Field("orderId", \.orderId)
        Field("orderNumber", \.orderNumber)
        Field("type", \.type, .oneOf(Vocabulary.refundTypes))
        Field("status", \.status, .oneOf(Vocabulary.refundStatuses))
        Field("requestedAmount", \.requestedAmount)
        Field("approvedAmount", \.approvedAmount)
        Field("processedAmount", \.processedAmount, "What was really given back.")
        Field("currency", \.currency, "ISO 4217.", .currencyCode)
        Field("category", \.category)
        Field("reason", \.reason, "null without `customers:read`, and for analysts.")
        Field("internalNote", \.internalNote, "null without `customers:read`, and for analysts.")
        Field(
            "reference",
            \.reference,
            "The number of the transfer, or the store's own number of the refund, as somebody typed it; null without `customers:read`, and for analysts."
        )
        Field("requestedBy", \.requestedBy)
        Field("openedByStore", \.openedByStore, "The store asked what we think; nobody here requested it.")
        Field(
            "consumptionReason",
            \.consumptionReason,
            "Why the customer asked the store.",
            .oneOf(Vocabulary.consumptionReasons)
        )
        Field("consumptionRequestedAt", \.consumptionRequestedAt, "When the store first asked what we think.")
        Field("consumptionLastRequestedAt", \.consumptionLastRequestedAt, "When it asked last.")
        Field("consumptionDueAt", \.consumptionDueAt, "Until when it takes an answer: 12 hours after it first asked.")
        Field(
            "refundPreference",
            \.refundPreference,
            "What the store is told, where it decides.",
            .oneOf(Vocabulary.refundPreferences)
        )
        Field(
            "storeDecision",
            \.storeDecision,
            "What the store decided about a case that it opened.",
            .oneOf(Vocabulary.storeDecisions)
        )
        Field("storeDecidedAt", \.storeDecidedAt)
        Field("decidedBy", \.decidedBy)
        Field("decidedAt", \.decidedAt)
        Field("processedAt", \.processedAt)
        Field("expiresAt", \.expiresAt)
        Field("createdAt", \.createdAt)
        Field("version", \.version, "Counts changes; bring it along to change only what was seen.", .range(1))
        Field(
            "payoutState",
            \.payoutState,
            "Where its payment by the store stands, where the store pays when it is asked to; null where people pay.",
            .oneOf(Vocabulary.payoutStates)
        )
        Field.ifAny(
            "unanswered",
            \.unanswered,
            "That the store has not taken our answer for more than an hour, and is sent it again; only where one request is shown."
        )
        Field.ifAny(
            "payout",
            \.payout,
            "Its payment by the store, where the store pays when it is asked to; only where one request is shown."
        )
    }

    public init(
        id: UUID,
        number: String,
        orderId: UUID,
        orderNumber: String,
        type: String,
        status: String,
        requestedAmount: Amount,
        approvedAmount: Amount?,
        processedAmount: Amount?,
        currency: String,
        category: String,
        reason: String?,
        internalNote: String?,
        reference: String?,
        requestedBy: String,
        openedByStore: Bool,
        consumptionReason: String?,
        consumptionRequestedAt: Date?,
        consumptionLastRequestedAt: Date?,
        consumptionDueAt: Date?,
        refundPreference: String?,
        storeDecision: String?,
        storeDecidedAt: Date?,
        decidedBy: String?,
        decidedAt: Date?,
        processedAt: Date?,
        expiresAt: Date?,
        createdAt: Date,
        version: Int,
        payoutState: String? = nil,
        unanswered: Unanswered? = nil,
        payout: StorePayout? = nil
    ) {
        self.id = id
        self.number = number
        self.orderId = orderId
        self.orderNumber = orderNumber
        self.type = type
        self.status = status
        self.requestedAmount = requestedAmount
        self.approvedAmount = approvedAmount
        self.processedAmount = processedAmount
        self.currency = currency
        self.category = category
        self.reason = reason
        self.internalNote = internalNote
        self.reference = reference
        self.requestedBy = requestedBy
        self.openedByStore = openedByStore
        self.consumptionReason = consumptionReason
        self.consumptionRequestedAt = consumptionRequestedAt
        self.consumptionLastRequestedAt = consumptionLastRequestedAt
        self.consumptionDueAt = consumptionDueAt
        self.refundPreference = refundPreference
        self.storeDecision = storeDecision
        self.storeDecidedAt = storeDecidedAt
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
        self.processedAt = processedAt
        self.expiresAt = expiresAt
        self.createdAt = createdAt
        self.version = version
        self.payoutState = payoutState
        self.unanswered = unanswered
        self.payout = payout
    }
}

/// A page of refund requests.
public struct RefundPage: Resource {
    public var refunds: [Refund]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("refunds", \.refunds)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(refunds: [Refund], next: String?) {
        self.refunds = refunds
        self.next = next
    }
}
