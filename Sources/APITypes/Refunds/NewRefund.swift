/// The request body of `POST /admin/orders/{id}/refunds`.
public struct NewRefund: ReasonedRequest, Hashable {
    /// `FULL`, `PARTIAL`, `PRORATED`.
    public var type: String?
    /// For a partial refund, in the order's currency.
    public var amount: Amount?
    public var category: String?
    public var reason: String?
    public var internalNote: String?

    public static let body = RequestBody(
        required: [
            .init("type", \Self.type, .oneOf(Vocabulary.refundTypes)), .category, .reason,
        ],
        optional: [
            .init("amount", \.amount, "Of a partial refund, in the order's currency.", .above(0)),
            .init("internalNote", \.internalNote, .length(0, 2_000)),
        ]
    )

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
