public import Foundation

/// What a customer may use now, and everything that gives it: `GET /admin/subscriptions/{customer}`.
public struct CustomerAccess: Codable, Hashable, Sendable {
    public var userId: UUID
    /// In the app's own spelling; nil without access.
    public var planType: String?
    /// `TRIAL`, `ACTIVE`, `GRACE_PERIOD`, `CANCELLED`; `NONE` without access.
    public var status: String
    /// `APPLE_IAP`, `GOOGLE_PLAY`, `WECHAT_PAY`, `ALIPAY`, `GRANT`; nil without access.
    public var source: String?
    /// `subscription:ID` or `grant:ID`: what gives it.
    public var of: String?
    /// The store's product identifier.
    public var productId: String?
    public var startedAt: Date?
    /// nil also for access without end.
    public var expiresAt: Date?
    public var willRenew: Bool
    public var subscriptions: [HeldSubscription]
    public var grants: [HeldGrant]
    /// What staff did, newest first: the last ten.
    public var actions: [DoneAction]
    /// Another one after any change; bring it along to change only what was seen.
    public var version: Int

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
        self.subscriptions = subscriptions
        self.grants = grants
        self.actions = actions
        self.version = version
    }

    /// One subscription at a store.
    public struct HeldSubscription: Codable, Hashable, Sendable {
        public var id: UUID
        /// `subscription:ID`, as a step names it.
        public var of: String
        public var planType: String
        public var status: String
        public var source: String
        public var productId: String?
        public var startedAt: Date?
        /// The end of what is paid for.
        public var expiresAt: Date?
        public var willRenew: Bool
        /// Since when staff let it give nothing.
        public var suspendedAt: Date?

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
            self.suspendedAt = suspendedAt
        }
    }

    /// A plan that staff gave.
    public struct HeldGrant: Codable, Hashable, Sendable {
        public var id: UUID
        /// `grant:ID`, as a step names it.
        public var of: String
        public var planType: String
        /// `COMPLIMENTARY`, `EXTENSION`, `UPGRADE`.
        public var type: String
        /// `SCHEDULED`, `RUNNING`, `OVER`, `WITHDRAWN`.
        public var status: String
        public var startedAt: Date
        /// nil without end.
        public var expiresAt: Date?
        /// When staff ended it before its time.
        public var endedAt: Date?

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
    public struct DoneAction: Codable, Hashable, Sendable {
        /// What `undo` names.
        public var id: UUID
        /// `GRANT`, `EXTEND`, `REVOKE`, `RESTORE`, `CHANGE_TIER`, `TRANSFER`, `CANCEL`, `UNDO`.
        public var type: String
        public var createdAt: Date
        /// The action that this one took back.
        public var undoes: UUID?
        /// The action that took this one back.
        public var undoneBy: UUID?

        public init(id: UUID, type: String, createdAt: Date, undoes: UUID?, undoneBy: UUID?) {
            self.id = id
            self.type = type
            self.createdAt = createdAt
            self.undoes = undoes
            self.undoneBy = undoneBy
        }
    }
}

/// What came of a step.
public struct AccessChange: Codable, Hashable, Sendable {
    /// Where the audit log tells who did it and why: `GET /admin/audit/{id}`.
    public var auditEntryId: UUID
    /// What the customer has since.
    public var access: CustomerAccess

    public init(auditEntryId: UUID, access: CustomerAccess) {
        self.auditEntryId = auditEntryId
        self.access = access
    }
}
