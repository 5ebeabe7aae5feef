public import Foundation

/// One charge, as `GET /admin/orders` shows it: the fields of the readmigo document's Order table.
public struct Order: Resource {
    public var id: UUID
    public var orderNumber: String
    public var userId: UUID
    public var productId: String
    public var productName: String
    public var planType: String
    public var amount: Amount?
    public var currency: String?
    public var status: String
    public var source: String
    public var appleOriginalTransactionId: String?
    public var appleTransactionId: String?
    public var appleEnvironment: String?
    public var storefront: String?
    public var quantity: Int
    public var refundedSeats: Int
    public var isRefundEstimated: Bool
    public var offerType: String?
    public var offerIdentifier: String?
    public var isTrialPeriod: Bool
    public var startedAt: Date?
    public var expiresAt: Date?
    public var refundedAmount: Amount?
    public var refundedAt: Date?
    public var creditedAmount: Amount?
    public var supersededAt: Date?
    public var createdAt: Date
    public var updatedAt: Date
    public var transactions: [Transaction]?
    public var appleOtherTransactionIds: [String]?
    public var joinedInto: String?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("orderNumber", \.orderNumber, "`ORD-YYYYMMDD-NNNN`", .example(.string("ORD-20241215-0001")))
        Field("userId", \.userId)
        Field("productId", \.productId, "The store's product identifier.")
        Field("productName", \.productName)
        Field("planType", \.planType, "The plan in the app's own spelling.", .example(.string("PRO")))
        Field("amount", \.amount, "Null while the store has not said what was charged: not known yet, and not free.")
        Field("currency", \.currency, "ISO 4217; null without an amount.", .currencyCode)
        Field("status", \.status, .oneOf(Vocabulary.orderStatuses))
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("appleOriginalTransactionId", \.appleOriginalTransactionId)
        Field("appleTransactionId", \.appleTransactionId)
        Field("appleEnvironment", \.appleEnvironment, .oneOf(Vocabulary.environments))
        Field("storefront", \.storefront, "The country of the store, as the store writes it.", .example(.string("CHN")))
        Field("quantity", \.quantity, "How many were bought at once; `amount` is of all of them.")
        Field("refundedSeats", \.refundedSeats, "How many of `quantity` seats were given back, while the others stand.")
        Field(
            "isRefundEstimated",
            \.isRefundEstimated,
            "Whether the store has not said what they cost: `refundedAmount` counts them at the average."
        )
        Field(
            "offerType",
            \.offerType,
            "The kind of offer under which it was sold; null without one.",
            .oneOf(Vocabulary.offerTypes)
        )
        Field("offerIdentifier", \.offerIdentifier, "The offer's own identifier, where it has one.")
        Field("isTrialPeriod", \.isTrialPeriod, "Whether the period is a free trial.")
        Field("startedAt", \.startedAt)
        Field("expiresAt", \.expiresAt)
        Field("refundedAmount", \.refundedAmount, "Null without an `amount`.")
        Field("refundedAt", \.refundedAt, "Also where it is not known yet how much that was.")
        Field(
            "creditedAmount",
            \.creditedAmount,
            "The unused part, which the store gave back when the customer upgraded; null without an `amount`."
        )
        Field("supersededAt", \.supersededAt, "When an upgrade took its place; null unless one did.")
        Field("createdAt", \.createdAt, "When the charge was made, by the store's clock.")
        Field("updatedAt", \.updatedAt)
        Field.ifAny("transactions", \.transactions, "The order's ledger, oldest first; only where one order is shown.")
        Field.ifAny(
            "appleOtherTransactionIds",
            \.appleOtherTransactionIds,
            "What else Apple called the purchase, on other devices and after restores; only where one order is shown."
        )
        Field.ifAny(
            "joinedInto",
            \.joinedInto,
            "The number of the order that has the purchase, where this one is void; only where one order is shown."
        )
    }

    public init(
        id: UUID,
        orderNumber: String,
        userId: UUID,
        productId: String,
        productName: String,
        planType: String,
        amount: Amount?,
        currency: String?,
        status: String,
        source: String,
        appleOriginalTransactionId: String?,
        appleTransactionId: String?,
        appleEnvironment: String?,
        storefront: String?,
        quantity: Int,
        refundedSeats: Int = 0,
        isRefundEstimated: Bool = false,
        offerType: String?,
        offerIdentifier: String?,
        isTrialPeriod: Bool,
        startedAt: Date?,
        expiresAt: Date?,
        refundedAmount: Amount?,
        refundedAt: Date?,
        creditedAmount: Amount?,
        supersededAt: Date?,
        createdAt: Date,
        updatedAt: Date,
        transactions: [Transaction]?,
        appleOtherTransactionIds: [String]? = nil,
        joinedInto: String? = nil
    ) {
        self.id = id
        self.orderNumber = orderNumber
        self.userId = userId
        self.productId = productId
        self.productName = productName
        self.planType = planType
        self.amount = amount
        self.currency = currency
        self.status = status
        self.source = source
        self.appleOriginalTransactionId = appleOriginalTransactionId
        self.appleTransactionId = appleTransactionId
        self.appleEnvironment = appleEnvironment
        self.storefront = storefront
        self.quantity = quantity
        self.refundedSeats = refundedSeats
        self.isRefundEstimated = isRefundEstimated
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.isTrialPeriod = isTrialPeriod
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.refundedAmount = refundedAmount
        self.refundedAt = refundedAt
        self.creditedAmount = creditedAmount
        self.supersededAt = supersededAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.transactions = transactions
        self.appleOtherTransactionIds = appleOtherTransactionIds
        self.joinedInto = joinedInto
    }
}

/// A page of orders.
public struct OrderPage: Resource {
    public var orders: [Order]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("orders", \.orders)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(orders: [Order], next: String?) {
        self.orders = orders
        self.next = next
    }
}
