public import Foundation

/// Limits that customers have nearly used up: `GET /admin/near-limits`.
public struct NearLimitPage: Resource {
    public var limits: [NearLimitItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("limits", \.limits, "Those first whose windows end first.")
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(limits: [NearLimitItem], next: String?) {
        (self.limits, self.next) = (limits, next)
    }
}

/// A limit of which a customer has used 80 % or more.
public struct NearLimitItem: Resource {
    public var customerId: UUID
    public var key: String
    public var externalId: String?
    public var name: String?
    public var email: String?
    public var feature: String
    public var window: String
    public var used: Int64
    public var limit: Int64
    public var resetsAt: Date?

    public static let fields = Fields<Self> {
        Field("customerId", \.customerId)
        Field("key", \.key, "What the app or the store calls them.")
        Field("externalId", \.externalId, "The app's own id.")
        Field("name", \.name, "null where it is not known, without `customers:read`, and for analysts.")
        Field("email", \.email, "null where it is not known, without `customers:read`, and for analysts.")
        Field("feature", \.feature, "Its code.")
        Field(
            "window",
            \.window,
            "Of several, that of which the greatest share is used.",
            .oneOf(Vocabulary.usageWindows)
        )
        Field("used", \.used)
        Field("limit", \.limit, "With what staff gave beyond the plan's.")
        Field("resetsAt", \.resetsAt, "null for a lifetime.")
    }

    public init(
        customerId: UUID,
        key: String,
        externalId: String?,
        name: String?,
        email: String?,
        feature: String,
        window: String,
        used: Int64,
        limit: Int64,
        resetsAt: Date?
    ) {
        (self.customerId, self.key, self.externalId) = (customerId, key, externalId)
        (self.name, self.email, self.feature) = (name, email, feature)
        (self.window, self.used, self.limit, self.resetsAt) = (window, used, limit, resetsAt)
    }
}
