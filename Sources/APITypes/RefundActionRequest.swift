/// What is done with a refund request: `POST /admin/refunds/{number}/approve`, `…/reject`, `…/cancel`, `…/process`.
public struct RefundActionRequest: Codable, Hashable, Sendable {
    /// Of an approval, for less than was asked for.
    public var amount: Amount?
    /// Of an approval from the app's threshold on: the last six characters of the order's number.
    public var confirmation: String?
    /// Of processing: `STORE` or `ELSEWHERE`: who paid.
    public var paidBy: String?
    /// Of processing: the number of the transfer.
    public var reference: String?
    public var category: String?
    public var reason: String?
    /// The version that was seen.
    public var version: Int?

    public init(
        amount: Amount? = nil,
        confirmation: String? = nil,
        paidBy: String? = nil,
        reference: String? = nil,
        category: String? = nil,
        reason: String? = nil,
        version: Int? = nil
    ) {
        self.amount = amount
        self.confirmation = confirmation
        self.paidBy = paidBy
        self.reference = reference
        self.category = category
        self.reason = reason
        self.version = version
    }
}
