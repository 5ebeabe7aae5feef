public import Foundation

/// A customer's current entitlement: `GET /entitlements`.
public struct CustomerEntitlement: Resource {
    public var userId: UUID?
    public var externalId: String?
    public var version: Int64
    public var environment: String
    public var planType: String?
    public var planName: String?
    public var status: String
    public var source: String?
    public var productId: String?
    public var expiresAt: Date?
    public var willRenew: Bool
    public var features: [FeatureEntitlement]
    public var appAccountToken: UUID?
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("userId", \.userId, "The customer's id; null for somebody whom nobody has named yet.")
        Field("externalId", \.externalId, "The app's own id of the customer; null for somebody whom it has not named.")
        Field(
            "version",
            \.version,
            "Grows with every change of what the customer may use. A higher one than `after` is what a call with `wait` waits for.",
            .range(0)
        )
        Field(
            "environment",
            \.environment,
            "Of the purchase that decides; `PRODUCTION` where none does.",
            .oneOf(Vocabulary.environments)
        )
        Field(
            "planType",
            \.planType,
            "In the app's own spelling; the plan that everybody has where nothing gives more."
        )
        Field("planName", \.planName, "In the language that `Accept-Language` asks for.")
        Field(
            "status",
            \.status,
            "Of the plan that everybody has it is `ACTIVE`. Values may be added.",
            .oneOf(["TRIAL", "ACTIVE", "GRACE_PERIOD", "CANCELLED"])
        )
        Field(
            "source",
            \.source,
            "null for the plan that everybody has; `NONE` for a trial that the app gives.",
            .oneOf(Vocabulary.accessSources)
        )
        Field("productId", \.productId, "The store's product identifier.")
        Field("expiresAt", \.expiresAt, "null also for access without end.")
        Field("willRenew", \.willRenew)
        Field("features", \.features, "All of the app, in its order.")
        Field.ifAny(
            "appAccountToken",
            \.appAccountToken,
            "What the app passes to the App Store with a purchase, so that it is this customer's; only for a call with their own token."
        )
        Field.volatile("serverTime", \.serverTime)
    }

    public init(
        userId: UUID?,
        externalId: String?,
        version: Int64,
        environment: String,
        planType: String?,
        planName: String?,
        status: String,
        source: String?,
        productId: String?,
        expiresAt: Date?,
        willRenew: Bool,
        features: [FeatureEntitlement],
        appAccountToken: UUID? = nil,
        serverTime: Date
    ) {
        self.userId = userId
        self.externalId = externalId
        (self.version, self.environment) = (version, environment)
        self.planType = planType
        self.planName = planName
        self.status = status
        self.source = source
        self.productId = productId
        self.expiresAt = expiresAt
        self.willRenew = willRenew
        self.features = features
        self.appAccountToken = appAccountToken
        self.serverTime = serverTime
    }
}

/// A customer's entitlement to one feature: `GET /entitlements/{feature}`.
public struct FeatureEntitlement: Resource {
    public var feature: String
    public var name: String
    public var allowed: Bool
    public var reason: String?
    public var requiredPlan: String?
    public var limits: [FeatureLimit]

    public static let fields = Fields<Self> {
        Field("feature", \.feature, "The app's own code of it.")
        Field("name", \.name, "In the language that `Accept-Language` asks for.")
        Field("allowed", \.allowed)
        Field(
            "reason",
            \.reason,
            "Why it is restricted; null where it is allowed. Values may be added.",
            .oneOf(Vocabulary.restrictions)
        )
        Field("requiredPlan", \.requiredPlan, "The lowest plan that has it, where this one lacks it.")
        Field("limits", \.limits, "Empty for what is unlimited, and for what the plan lacks.")
    }

    public init(
        feature: String,
        name: String,
        allowed: Bool,
        reason: String?,
        requiredPlan: String?,
        limits: [FeatureLimit]
    ) {
        self.feature = feature
        self.name = name
        self.allowed = allowed
        self.reason = reason
        self.requiredPlan = requiredPlan
        self.limits = limits
    }
}

/// The limit of a feature's use within a window.
public struct FeatureLimit: Resource {
    public var window: String
    public var limit: Int64
    public var used: Int64?
    public var remaining: Int64?
    public var resetsAt: Date?

    public static let fields = Fields<Self> {
        Field(
            "window",
            \.window,
            "A day or a calendar month in the app's time zone, or all time.",
            .oneOf(Vocabulary.usageWindows)
        )
        Field("limit", \.limit, .range(1))
        Field("used", \.used, "null where an app's own server asks.")
        Field("remaining", \.remaining, "0 also where more was counted offline; null where an app's own server asks.")
        Field(
            "resetsAt",
            \.resetsAt,
            "When it is counted anew; null for a lifetime, and where an app's own server asks."
        )
    }

    public init(window: String, limit: Int64, used: Int64?, remaining: Int64?, resetsAt: Date?) {
        (self.window, self.limit, self.used) = (window, limit, used)
        (self.remaining, self.resetsAt) = (remaining, resetsAt)
    }
}
