public import Foundation

/// A request to give money of an order back: the fields of the readmigo document's RefundRequest table.
public struct Refund: Codable, Hashable, Sendable {
    public var id: UUID
    /// `RF-000001`
    public var number: String
    public var orderId: UUID
    public var orderNumber: String
    /// `FULL`, `PARTIAL`, `PRORATED`.
    public var type: String
    /// `PENDING`, `APPROVED`, `PROCESSED`, `REJECTED`, `CANCELLED`, `EXPIRED`.
    public var status: String
    public var requestedAmount: Amount
    public var approvedAmount: Amount?
    /// What was really given back.
    public var processedAmount: Amount?
    /// ISO 4217.
    public var currency: String
    public var category: String
    /// nil for who may not read personal data, as `internalNote` and `reference` are.
    public var reason: String?
    public var internalNote: String?
    /// The number of the transfer, or the store's own number of the refund, as somebody typed it.
    public var reference: String?
    public var requestedBy: String
    public var decidedBy: String?
    public var decidedAt: Date?
    public var processedAt: Date?
    public var expiresAt: Date?
    public var createdAt: Date
    /// Counts changes; bring it along to change only what was seen.
    public var version: Int

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
        decidedBy: String?,
        decidedAt: Date?,
        processedAt: Date?,
        expiresAt: Date?,
        createdAt: Date,
        version: Int
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
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
        self.processedAt = processedAt
        self.expiresAt = expiresAt
        self.createdAt = createdAt
        self.version = version
    }
}

/// A page of refund requests.
public struct RefundPage: Codable, Hashable, Sendable {
    public var refunds: [Refund]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(refunds: [Refund], next: String?) {
        self.refunds = refunds
        self.next = next
    }
}
