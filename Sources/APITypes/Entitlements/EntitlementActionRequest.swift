import Foundation

/// An action on a customer's access: `POST /admin/subscriptions/{customer}/grant`, `…/extend`, `…/revoke`, `…/restore`,
/// `…/change-tier`, `…/transfer`, `…/cancel`, `…/undo`.
public struct EntitlementActionRequest: ReasonedRequest, Hashable {
    /// For a grant or a change of tier.
    public var planType: String?
    /// For an extension or a grant.
    public var days: Int?
    /// For a grant: its end, RFC 3339.
    public var until: String?
    /// For a grant.
    public var withoutEnd: Bool?
    /// `subscription:ID` or `grant:ID`; what gives access now when it is left out.
    public var of: String?
    /// Of a transfer: the id of the customer who gets the subscription.
    public var receiver: String?
    /// Of an undoing: the id of what is taken back.
    public var action: String?
    /// Of a revocation of something paid: the last six characters of the customer's id.
    public var confirmation: String?
    public var category: String?
    public var reason: String?
    /// The version that was seen.
    public var version: Int?

    public static let grant = RequestBody(
        required: [.reason, plan],
        optional: [
            .categoryOrOther, version,
            .init(
                "days",
                \.days,
                "One of `days`, `until` and `withoutEnd` is said.",
                .range(1, 3_650),
                .example(.number(30))
            ),
            .init("until", \.until, "The end, within ten years.", .format("date-time")),
            .init("withoutEnd", \.withoutEnd),
        ]
    )
    public static let extend = RequestBody(
        required: [.reason, .init("days", \.days, "How many days later.", .range(1, 3_650))],
        optional: [.categoryOrOther, version, source]
    )
    public static let revoke = RequestBody(
        required: [.reason],
        optional: [
            .categoryOrOther, version, source,
            .init(
                "confirmation",
                \.confirmation,
                "Of something paid: the last six characters of the customer's id."
            ),
        ]
    )
    public static let restore = RequestBody(
        required: [
            .category, .reason,
            .init("of", \.of, "`subscription:ID` or `grant:ID`.", .pattern(sourcePattern), sourceExample),
        ],
        optional: [version]
    )
    public static let changeTier = RequestBody(
        required: [.reason, plan],
        optional: [.categoryOrOther, version, source]
    )
    public static let transfer = RequestBody(
        required: [
            .category, .reason,
            .init("of", \.of, "`subscription:ID`.", .pattern("^subscription:\(idPattern)$"), sourceExample),
            .init("receiver", \.receiver, "A customer of the same app.", .format("uuid")),
        ],
        optional: [version]
    )
    public static let cancel = RequestBody(required: [.category, .reason], optional: [version, source])
    public static let undo = RequestBody(
        required: [
            .category, .reason,
            .init(
                "action",
                \.action,
                "One of the `actions` of the customer. Support takes back its own.",
                .format("uuid")
            ),
        ],
        optional: [version]
    )

    private static let plan = RequestBody.Member<Self>(
        "planType",
        \.planType,
        "A plan's code.",
        .example(.string("PRO"))
    )
    private static let source = RequestBody.Member<Self>(
        "of",
        \.of,
        "`subscription:ID` or `grant:ID`; what gives access now when it is left out.",
        .pattern(sourcePattern)
    )
    private static let version = RequestBody.Member<Self>(
        "version",
        \.version,
        "The version that was seen; a later one is a conflict, and nothing is done.",
        .range(0)
    )
    private static let sourceExample =
        JSONSchema.Rule.example(.string("subscription:019ac5e4-6a1e-7c3f-9b52-3f8e1a7d4c60"))
    private static let sourcePattern = "^(subscription|grant):\(idPattern)$"
    private static let idPattern = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

    public init(
        planType: String? = nil,
        days: Int? = nil,
        until: String? = nil,
        withoutEnd: Bool? = nil,
        of: String? = nil,
        receiver: String? = nil,
        action: String? = nil,
        confirmation: String? = nil,
        category: String?,
        reason: String?,
        version: Int? = nil
    ) {
        self.planType = planType
        self.days = days
        self.until = until
        self.withoutEnd = withoutEnd
        self.of = of
        self.receiver = receiver
        self.action = action
        self.confirmation = confirmation
        self.category = category
        self.reason = reason
        self.version = version
    }
}
