public import Foundation

/// Money that moved: the fields of the readmigo document's Transaction table.
public struct Transaction: Resource {
    public var id: UUID
    public var orderId: UUID
    public var type: String
    public var status: String
    public var amount: Amount
    public var currency: String
    public var appleTransactionId: String?
    public var failureReason: String?
    public var createdAt: Date

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("orderId", \.orderId)
        Field("type", \.type, .oneOf(Vocabulary.transactionTypes))
        Field("status", \.status, .oneOf(["PENDING", "SUCCESS", "FAILED", "CANCELLED"]))
        Field("amount", \.amount, "Negative for refunds.")
        Field("currency", \.currency, "ISO 4217.", .currencyCode)
        Field("appleTransactionId", \.appleTransactionId)
        Field("failureReason", \.failureReason)
        Field("createdAt", \.createdAt, "When the money moved, by the store's clock.")
    }

    public init(
        id: UUID,
        orderId: UUID,
        type: String,
        status: String,
        amount: Amount,
        currency: String,
        appleTransactionId: String?,
        failureReason: String?,
        createdAt: Date
    ) {
        self.id = id
        self.orderId = orderId
        self.type = type
        self.status = status
        self.amount = amount
        self.currency = currency
        self.appleTransactionId = appleTransactionId
        self.failureReason = failureReason
        self.createdAt = createdAt
    }
}
