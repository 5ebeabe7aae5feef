public import Foundation

/// Money that moved: the fields of the readmigo document's Transaction table.
public struct Transaction: Codable, Hashable, Sendable {
    public var id: UUID
    public var orderId: UUID
    /// `INITIAL_PURCHASE`, `RENEWAL`, `UPGRADE`, `DOWNGRADE`, `REFUND`, `REVOKE`, `REFUND_REVERSAL`.
    public var type: String
    /// `PENDING`, `SUCCESS`, `FAILED`, `CANCELLED`.
    public var status: String
    /// Negative for refunds.
    public var amount: Amount
    /// ISO 4217.
    public var currency: String
    public var appleTransactionId: String?
    public var failureReason: String?
    /// When the money moved, by the store's clock.
    public var createdAt: Date

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
