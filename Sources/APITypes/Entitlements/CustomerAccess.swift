public import Foundation

/// A customer's current access, and all its sources (readmigo, "用户订阅详情"): `GET /admin/subscriptions/{customer}`.
public struct CustomerAccess: Resource {
    public var userId: UUID
    public var planType: String?
    public var status: String
    public var source: String?
    public var of: String?
    public var productId: String?
    public var startedAt: Date?
    public var expiresAt: Date?
    public var willRenew: Bool
    public var consentRescindedAt: Date?
    public var subscriptions: [HeldSubscription]
    public var grants: [HeldGrant]
    public var actions: [DoneAction]
    public var version: Int

    public static let fields = Fields<Self> {
        Field("userId", \.userId)
        Field("planType", \.planType, "In the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "status",
            \.status,
            "Of the plan that everybody has it is `ACTIVE`, unless something ended before.",
            .oneOf(Vocabulary.customerStatuses)
        )
        Field("source", \.source, "`NONE` for a trial that the app gives.", .oneOf(Vocabulary.accessSources))
        Field("of", \.of, "What gives it: `subscription:ID` or `grant:ID`.")
        Field("productId", \.productId, "The store's product identifier.")
        Field("startedAt", \.startedAt)
        Field("expiresAt", \.expiresAt, "In the past for what is over; null also for access without end.")
        Field("willRenew", \.willRenew)
        Field(
            "consentRescindedAt",
            \.consentRescindedAt,
            "Since when a parent's withdrawn consent blocks the use of the app, whatever is paid for; null where none does."
        )
        Field("subscriptions", \.subscriptions)
        Field("grants", \.grants)
        Field("actions", \.actions, "What staff did, newest first: the last ten.")
        Field(
            "version",
            \.version,
            "Another one after any change; bring it along to change only what was seen.",
            .range(0)
        )
    }

    public init(
        userId: UUID,
        planType: String?,
        status: String,
        source: String?,
        of: String?,
        productId: String?,
        startedAt: Date?,
        expiresAt: Date?,
        willRenew: Bool,
        consentRescindedAt: Date?,
        subscriptions: [HeldSubscription],
        grants: [HeldGrant],
        actions: [DoneAction],
        version: Int
    ) {
        self.userId = userId
        self.planType = planType
        self.status = status
        self.source = source
        self.of = of
        self.productId = productId
        self.startedAt = startedAt
        self.expiresAt = expiresAt
        self.willRenew = willRenew
        self.consentRescindedAt = consentRescindedAt
        self.subscriptions = subscriptions
        self.grants = grants
        self.actions = actions
        self.version = version
    }

    /// One subscription at a store.
    public struct HeldSubscription: Resource {
        public var id: UUID
        public var of: String
        public var planType: String
        public var status: String
        public var source: String
        public var productId: String?
        public var startedAt: Date?
        public var expiresAt: Date?
        public var willRenew: Bool
        public var nextRenewal: UpcomingRenewal?
        public var commitment: BillingCommitment?
        public var winBackOfferIds: [String]
        public var suspendedAt: Date?

        public static let fields = Fields<Self> {
            Field("id", \.id)
            Field("of", \.of, "`subscription:ID`, as a step names it.")
            Field("planType", \.planType)
            Field("status", \.status, .oneOf(Vocabulary.subscriptionStatuses))
            Field("source", \.source, .oneOf(Vocabulary.sources))
            Field("productId", \.productId)
            Field("startedAt", \.startedAt)
            Field("expiresAt", \.expiresAt, "The end of what is paid for.")
            Field("willRenew", \.willRenew)
            Field("nextRenewal", \.nextRenewal, SubscriptionFuture.nextRenewalMeaning)
            Field("commitment", \.commitment, SubscriptionFuture.commitmentMeaning)
            Field("winBackOfferIds", \.winBackOfferIds, SubscriptionFuture.winBackMeaning)
            Field("suspendedAt", \.suspendedAt, "Since when staff let it give nothing.")
        }

        public init(
            id: UUID,
            of: String,
            planType: String,
            status: String,
            source: String,
            productId: String?,
            startedAt: Date?,
            expiresAt: Date?,
            willRenew: Bool,
            future: SubscriptionFuture,
            suspendedAt: Date?
        ) {
            self.id = id
            self.of = of
            self.planType = planType
            self.status = status
            self.source = source
            self.productId = productId
            self.startedAt = startedAt
            self.expiresAt = expiresAt
            self.willRenew = willRenew
            nextRenewal = future.nextRenewal
            commitment = future.commitment
            winBackOfferIds = future.winBackOfferIds
            self.suspendedAt = suspendedAt
        }
    }

    /// A plan that staff gave, or the app as a trial.
    public struct HeldGrant: Resource {
        public var id: UUID
        public var of: String
        public var planType: String
        public var type: String
        public var status: String
        public var startedAt: Date
        public var expiresAt: Date?
        public var endedAt: Date?

        public static let fields = Fields<Self> {
            Field("id", \.id)
            Field("of", \.of, "`grant:ID`, as a step names it.")
            Field("planType", \.planType)
            Field("type", \.type, .oneOf(["COMPLIMENTARY", "EXTENSION", "UPGRADE", "PROVISIONAL", "TRIAL"]))
            Field("status", \.status, .oneOf(["SCHEDULED", "RUNNING", "OVER", "WITHDRAWN"]))
            Field("startedAt", \.startedAt)
            Field("expiresAt", \.expiresAt, "null without end.")
            Field("endedAt", \.endedAt, "When staff ended it before its time, or what the customer bought did.")
        }

        public init(
            id: UUID,
            of: String,
            planType: String,
            type: String,
            status: String,
            startedAt: Date,
            expiresAt: Date?,
            endedAt: Date?
        ) {
            self.id = id
            self.of = of
            self.planType = planType
            self.type = type
            self.status = status
            self.startedAt = startedAt
            self.expiresAt = expiresAt
            self.endedAt = endedAt
        }
    }

    /// Something that staff did.
    public struct DoneAction: Resource {
        public var id: UUID
        public var type: String
        public var createdAt: Date
        public var undoes: UUID?
        public var undoneBy: UUID?

        public static let fields = Fields<Self> {
            Field("id", \.id, "What `undo` names.")
            Field(
                "type",
                \.type,
                .oneOf(["GRANT", "EXTEND", "REVOKE", "RESTORE", "CHANGE_TIER", "TRANSFER", "CANCEL", "UNDO"])
            )
            Field("createdAt", \.createdAt)
            Field("undoes", \.undoes, "The action that this one took back.")
            Field("undoneBy", \.undoneBy, "The action that took this one back.")
        }

        public init(id: UUID, type: String, createdAt: Date, undoes: UUID?, undoneBy: UUID?) {
            self.id = id
            self.type = type
            self.createdAt = createdAt
            self.undoes = undoes
            self.undoneBy = undoneBy
        }
    }
}

/// The result of an action.
public struct AccessChange: Resource {
    public var auditEntryId: UUID
    public var access: CustomerAccess

    public static let fields = Fields<Self> {
        Field("auditEntryId", \.auditEntryId, "Where the audit log tells who did it and why: `GET /admin/audit/{id}`.")
        Field("access", \.access, "What the customer has since.")
    }

    public init(auditEntryId: UUID, access: CustomerAccess) {
        self.auditEntryId = auditEntryId
        self.access = access
    }
}
