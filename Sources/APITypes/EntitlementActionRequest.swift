/// What is done about what a customer has: `POST /admin/subscriptions/{customer}/grant`, `…/extend`, `…/revoke`,
/// `…/restore`, `…/change-tier`, `…/transfer`, `…/cancel`, `…/undo`.
public struct EntitlementActionRequest: Codable, Hashable, Sendable {
    /// Of a grant or a change of tier.
    public var planType: String?
    /// Of an extension or a grant.
    public var days: Int?
    /// Of a grant: its end, RFC 3339.
    public var until: String?
    /// Of a grant.
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
