public import Foundation

/// A customer as their app's own server sees them: `GET /customers/{externalId}`.
public struct AppCustomer: Resource {
    public var userId: UUID
    public var externalId: String
    public var planType: String?
    public var status: String
    public var expiresAt: Date?
    public var firstSeenAt: Date
    public var appAccountToken: UUID?
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("userId", \.userId, "The customer's id here.")
        Field("externalId", \.externalId, "The app's own id, as it was asked for.")
        Field("planType", \.planType, "In the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "status",
            \.status,
            "As `GET /customers/{externalId}/entitlements` has it: `ACTIVE` also of the plan that everybody has. Values may be added.",
            .oneOf(["TRIAL", "ACTIVE", "GRACE_PERIOD", "CANCELLED"])
        )
        Field(
            "expiresAt",
            \.expiresAt,
            "The end of access; null for access without end, and of the plan that everybody has."
        )
        Field("firstSeenAt", \.firstSeenAt, "When they were first heard of.")
        Field("appAccountToken", \.appAccountToken, "What the app passes to the store with the next purchase.")
        Field("serverTime", \.serverTime)
    }

    public init(
        userId: UUID,
        externalId: String,
        planType: String?,
        status: String,
        expiresAt: Date?,
        firstSeenAt: Date,
        appAccountToken: UUID?,
        serverTime: Date
    ) {
        self.userId = userId
        self.externalId = externalId
        self.planType = planType
        self.status = status
        self.expiresAt = expiresAt
        self.firstSeenAt = firstSeenAt
        self.appAccountToken = appAccountToken
        self.serverTime = serverTime
    }
}
