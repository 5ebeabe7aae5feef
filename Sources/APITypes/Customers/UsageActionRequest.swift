/// An action on a customer's limit: `POST /admin/customers/{id}/usage/raise-limit`, `…/restore-limit`, `…/reset`.
public struct UsageActionRequest: ReasonedRequest, Hashable {
    public var feature: String?
    public var window: String?
    /// For a raise.
    public var amount: Int64?
    /// For a raise: its end, RFC 3339.
    public var until: String?
    public var category: String?
    public var reason: String?

    public static let raise = RequestBody(
        required: [
            .category, .reason, feature, window,
            .init("amount", \.amount, "How many more than the plan's limit.", .range(1, 1_000_000_000_000)),
        ],
        optional: [
            .init(
                "until",
                \.until,
                "The end, within ten years; left out for none. Support names one, within its limit of days.",
                .format("date-time")
            )
        ]
    )
    public static let body = RequestBody(required: [.category, .reason, feature, window])

    private static let feature = RequestBody.Member<Self>(
        "feature",
        \.feature,
        "The feature's code.",
        .example(.string("ai"))
    )
    private static let window = RequestBody.Member<Self>(
        "window",
        \.window,
        "Which limit.",
        .oneOf(Vocabulary.usageWindows)
    )

    public init(
        feature: String?,
        window: String?,
        amount: Int64? = nil,
        until: String? = nil,
        category: String?,
        reason: String?
    ) {
        self.feature = feature
        self.window = window
        self.amount = amount
        self.until = until
        self.category = category
        self.reason = reason
    }
}
