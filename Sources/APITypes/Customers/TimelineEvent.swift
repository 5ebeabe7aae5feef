public import Foundation

/// Something that happened to a customer, as `GET /admin/customers/{id}/timeline` shows it.
public struct TimelineEvent: Resource {
    public var id: UUID
    public var type: String
    public var createdAt: Date
    public var recordedAt: Date?
    public var storeEvent: StoreEvent?
    public var charge: Money?
    public var movement: Money?
    public var staff: StaffAction?
    public var mergedKey: String?
    public var verification: Verification?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field(
            "type",
            \.type,
            "The field of that name tells the rest.",
            .oneOf([
                "STORE_EVENT", "CHARGE", "MOVEMENT", "STAFF", "FIRST_SEEN", "MERGER", "VERIFICATION",
                "CONSENT_RESCINDED", "TRIAL_STARTED", "TRIAL_CONVERTED", "TRIAL_ENDED",
                "EXPIRY_REMINDER",
            ])
        )
        Field("createdAt", \.createdAt, "When it happened, by the clock of the store or of our server.")
        Field("recordedAt", \.recordedAt, "When we wrote it down, where that is another moment.")
        Field.ifAny("storeEvent", \.storeEvent)
        Field.ifAny("charge", \.charge)
        Field.ifAny("movement", \.movement, "An entry of an order's ledger that is no charge.")
        Field.ifAny("staff", \.staff, "Without personal data `before`, `after` and `reason` are null.")
        Field.ifAny("mergedKey", \.mergedKey, "Of a merger: what named the other record of the same customer.")
        Field.ifAny("verification", \.verification, "A proof of purchase that the app sent.")
    }

    public init(
        id: UUID,
        type: String,
        createdAt: Date,
        recordedAt: Date?,
        storeEvent: StoreEvent? = nil,
        charge: Money? = nil,
        movement: Money? = nil,
        staff: StaffAction? = nil,
        mergedKey: String? = nil,
        verification: Verification? = nil
    ) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.recordedAt = recordedAt
        self.storeEvent = storeEvent
        self.charge = charge
        self.movement = movement
        self.staff = staff
        self.mergedKey = mergedKey
        self.verification = verification
    }

    /// A proof of purchase.
    public struct Verification: Resource {
        public var form: String
        public var status: String
        public var problem: String?

        public static let fields = Fields<Self> {
            Field("form", \.form, .oneOf(["SIGNED_TRANSACTIONS", "RECEIPT", "TRANSACTION_ID"]))
            Field("status", \.status, "As it is now.", .oneOf(Vocabulary.verificationStatuses))
            Field("problem", \.problem, "Why it was rejected, or what keeps it waiting.")
        }

        public init(form: String, status: String, problem: String?) {
            self.form = form
            self.status = status
            self.problem = problem
        }
    }

    /// A store's event about a subscription.
    public struct StoreEvent: Resource {
        public var subscriptionId: UUID
        public var source: String
        public var kind: String
        public var statusBefore: String
        public var statusAfter: String
        public var rejectionReason: String?
        public var productName: String?
        public var expiresAt: Date?
        public var notificationId: UUID?

        public static let fields = Fields<Self> {
            Field("subscriptionId", \.subscriptionId)
            Field("source", \.source, .oneOf(Vocabulary.sources))
            Field("kind", \.kind, "`renewed`, `autoRenewDisabled`")
            Field("statusBefore", \.statusBefore, .oneOf(Vocabulary.subscriptionStatuses))
            Field("statusAfter", \.statusAfter, .oneOf(Vocabulary.subscriptionStatuses))
            Field("rejectionReason", \.rejectionReason, "Why the rules did not apply it.")
            Field("productName", \.productName)
            Field("expiresAt", \.expiresAt, "The end of the period that it is about.")
            Field("notificationId", \.notificationId)
        }

        public init(
            subscriptionId: UUID,
            source: String,
            kind: String,
            statusBefore: String,
            statusAfter: String,
            rejectionReason: String?,
            productName: String?,
            expiresAt: Date?,
            notificationId: UUID?
        ) {
            self.subscriptionId = subscriptionId
            self.source = source
            self.kind = kind
            self.statusBefore = statusBefore
            self.statusAfter = statusAfter
            self.rejectionReason = rejectionReason
            self.productName = productName
            self.expiresAt = expiresAt
            self.notificationId = notificationId
        }
    }

    /// A charge, or another entry of an order's ledger.
    public struct Money: Resource {
        public var orderNumber: String
        public var type: String
        public var status: String
        public var source: String
        public var amount: Amount?
        public var currency: String?
        public var failureReason: String?

        public static let fields = Fields<Self> {
            Field("orderNumber", \.orderNumber)
            Field("type", \.type, "As of a transaction: `RENEWAL`, `REFUND`.", .oneOf(Vocabulary.transactionTypes))
            Field("status", \.status, "Of a charge the order's status, else the entry's.")
            Field("source", \.source, .oneOf(Vocabulary.sources))
            Field("amount", \.amount, "Negative for refunds; null while the store has not said what was charged.")
            Field("currency", \.currency, .currencyCode)
            Field("failureReason", \.failureReason)
        }

        public init(
            orderNumber: String,
            type: String,
            status: String,
            source: String,
            amount: Amount?,
            currency: String?,
            failureReason: String?
        ) {
            self.orderNumber = orderNumber
            self.type = type
            self.status = status
            self.source = source
            self.amount = amount
            self.currency = currency
            self.failureReason = failureReason
        }
    }

    /// An action of staff.
    public struct StaffAction: Resource {
        public var actor: String
        public var role: String?
        public var action: String
        public var objectType: String?
        public var objectId: String?
        public var before: JSONValue?
        public var after: JSONValue?
        public var reason: String?

        public static let fields = Fields<Self> {
            Field("actor", \.actor)
            Field("role", \.role, .oneOf(["SUPPORT", "ADMIN", "ANALYST"]))
            Field("action", \.action)
            Field("objectType", \.objectType)
            Field("objectId", \.objectId)
            Field("before", \.before, "null for none, without `customers:read`, and for analysts.")
            Field("after", \.after, "null for none, without `customers:read`, and for analysts.")
            Field("reason", \.reason, "null for none, without `customers:read`, and for analysts.")
        }

        public init(
            actor: String,
            role: String?,
            action: String,
            objectType: String?,
            objectId: String?,
            before: JSONValue?,
            after: JSONValue?,
            reason: String?
        ) {
            self.actor = actor
            self.role = role
            self.action = action
            self.objectType = objectType
            self.objectId = objectId
            self.before = before
            self.after = after
            self.reason = reason
        }
    }
}

/// A page of a customer's timeline, newest first.
public struct TimelinePage: Resource {
    public var moments: [TimelineEvent]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("moments", \.moments)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(moments: [TimelineEvent], next: String?) {
        self.moments = moments
        self.next = next
    }
}
