/// What is asked for with `POST /admin/orders/{id}/refunds`.
public struct NewRefund: Codable, Hashable, Sendable {
    /// `FULL`, `PARTIAL`, `PRORATED`.
    public var type: String?
    /// Of a partial refund, in the order's currency.
    public var amount: Amount?
    public var category: String?
    public var reason: String?
    public var internalNote: String?

    public init(
        type: String?,
        amount: Amount? = nil,
        category: String?,
        reason: String?,
        internalNote: String? = nil
    ) {
        self.type = type
        self.amount = amount
        self.category = category
        self.reason = reason
        self.internalNote = internalNote
    }
}
