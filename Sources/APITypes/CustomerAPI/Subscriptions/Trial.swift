public import Foundation

/// A customer's eligibility for their app's trial (readmigo, "checkEligibility"): `GET /subscriptions/trial/eligibility`.
public struct TrialEligibility: Resource {
    public var eligible: Bool
    public var reason: String?
    public var message: String
    public var planType: String?
    public var trialDays: Int?
    public var eligibleProducts: [String]
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("eligible", \.eligible)
        Field(
            "reason",
            \.reason,
            """
            Why not; null for who is eligible. `trialUsed`: had a trial, of the app or at a store; `activeSubscription`: has a plan that \
            was bought; `previouslyPaid`: had one; `noTrial`: the app gives none. Values may be added.
            """,
            .oneOf(Vocabulary.trialRefusals)
        )
        Field("message", \.message, "The same in a sentence, in the language that `Accept-Language` asks for.")
        Field("planType", \.planType, "The plan that the trial is of; null for an app that gives none.")
        Field("trialDays", \.trialDays, "How long a trial lasts that begins now; null for an app that gives none.")
        Field("eligibleProducts", \.eligibleProducts, "The stores' identifiers of the products that it is a trial of.")
        Field("serverTime", \.serverTime)
    }

    public init(
        eligible: Bool,
        reason: String?,
        message: String,
        planType: String?,
        trialDays: Int?,
        eligibleProducts: [String],
        serverTime: Date
    ) {
        self.eligible = eligible
        self.reason = reason
        self.message = message
        self.planType = planType
        self.trialDays = trialDays
        self.eligibleProducts = eligibleProducts
        self.serverTime = serverTime
    }
}

/// A customer's trial (readmigo, "startTrial", "convertTrial"): `GET /subscriptions/trial/status`, `POST /subscriptions/trial/start`.
public struct TrialStatus: Resource {
    public var userId: UUID
    public var status: String?
    public var planType: String?
    public var source: String?
    public var trialStartedAt: Date?
    public var trialEndsAt: Date?
    public var daysRemaining: Int
    public var convertedAt: Date?
    public var originalTransactionId: String?
    public var expiresAt: Date?
    public var serverTime: Date

    public static let fields = Fields<Self> {
        Field("userId", \.userId, "The customer's id.")
        Field(
            "status",
            \.status,
            "null for who had none; `ACTIVE` once the customer has bought during it. Values may be added.",
            .oneOf(["TRIAL", "ACTIVE", "TRIAL_EXPIRED"])
        )
        Field("planType", \.planType, "What the trial gives as long as it runs; since then what the customer has.")
        Field(
            "source",
            \.source,
            "`NONE` for a trial; where the customer bought, once it is converted.",
            .oneOf(Vocabulary.accessSources)
        )
        Field("trialStartedAt", \.trialStartedAt)
        Field("trialEndsAt", \.trialEndsAt, "Also of one that ended before, because the customer bought.")
        Field("daysRemaining", \.daysRemaining, "Of a trial that runs, begun days count; else 0.")
        Field("convertedAt", \.convertedAt, "Since when the customer has what they bought instead.")
        Field("originalTransactionId", \.originalTransactionId, "Of what the customer bought during it.")
        Field(
            "expiresAt",
            \.expiresAt,
            "The trial's end as long as it runs; since then the end of access, null also for access without end."
        )
        Field("serverTime", \.serverTime)
    }

    public init(
        userId: UUID,
        status: String?,
        planType: String?,
        source: String?,
        trialStartedAt: Date?,
        trialEndsAt: Date?,
        daysRemaining: Int,
        convertedAt: Date?,
        originalTransactionId: String?,
        expiresAt: Date?,
        serverTime: Date
    ) {
        self.userId = userId
        self.status = status
        self.planType = planType
        self.source = source
        self.trialStartedAt = trialStartedAt
        self.trialEndsAt = trialEndsAt
        self.daysRemaining = daysRemaining
        self.convertedAt = convertedAt
        self.originalTransactionId = originalTransactionId
        self.expiresAt = expiresAt
        self.serverTime = serverTime
    }
}
