public import Foundation

/// One charge, as `GET /admin/orders` shows it: the fields of the readmigo document's Order table.
public struct Order: Codable, Hashable, Sendable {
    public var id: UUID
    /// `ORD-YYYYMMDD-NNNN`
    public var orderNumber: String
    public var userId: UUID
    /// The store's product identifier.
    public var productId: String
    public var productName: String
    /// The plan in the app's own spelling.
    public var planType: String
    public var amount: Amount
    /// ISO 4217.
    public var currency: String
    public var status: String
    public var source: String
    public var appleOriginalTransactionId: String?
    public var appleTransactionId: String?
    /// `PRODUCTION` or `SANDBOX`.
    public var appleEnvironment: String?
    public var startedAt: Date?
    public var expiresAt: Date?
    public var refundedAmount: Amount
    public var refundedAt: Date?
    /// When the charge was made, by the store's clock.
    public var createdAt: Date
    public var updatedAt: Date
    /// The order's ledger, oldest first; only where one order is shown.
    public var transactions: [Transaction]?

    public init(
        id: UUID,
        orderNumber: String,
        userId: UUID,
        productId: String,
        productName: String,
        planType: String,
        amount: Amount,
        currency: String,
        status: String,
        source: String,
        appleOriginalTransactionId: String?,
        appleTransactionId: String?,
        appleEnvironment: String?,
        startedAt: Date?,
        expiresAt: Date?,
        refundedAmount: Amount,
        refundedAt: Date?,
        createdAt: Date,
        updatedAt: Date,
        transactions: [Transaction]?
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
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.refundedAmount = refundedAmount
        self.refundedAt = refundedAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.transactions = transactions
    }
}

/// A page of orders.
public struct OrderPage: Codable, Hashable, Sendable {
    public var orders: [Order]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(orders: [Order], next: String?) {
        self.orders = orders
        self.next = next
    }
}
