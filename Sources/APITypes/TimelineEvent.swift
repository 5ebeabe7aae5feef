public import Foundation

/// Something that happened to a customer, as `GET /admin/customers/{id}/timeline` shows it.
public struct TimelineEvent: Codable, Hashable, Sendable {
    public var id: UUID
    /// `STORE_EVENT`, `CHARGE`, `MOVEMENT`, `STAFF`, `FIRST_SEEN`; the field of that name tells the rest.
    public var type: String
    /// When it happened, by the clock of the store or of our server.
    public var createdAt: Date
    /// When we wrote it down, where that is another moment.
    public var recordedAt: Date?
    public var storeEvent: StoreEvent?
    public var charge: Money?
    public var movement: Money?
    public var staff: StaffAction?

    public init(
        id: UUID,
        type: String,
        createdAt: Date,
        recordedAt: Date?,
        storeEvent: StoreEvent? = nil,
        charge: Money? = nil,
        movement: Money? = nil,
        staff: StaffAction? = nil
    ) {
        self.id = id
        self.type = type
        self.createdAt = createdAt
        self.recordedAt = recordedAt
        self.storeEvent = storeEvent
        self.charge = charge
        self.movement = movement
        self.staff = staff
    }

    /// What a store said about a subscription.
    public struct StoreEvent: Codable, Hashable, Sendable {
        public var subscriptionId: UUID
        public var source: String
        /// `renewed`, `autoRenewDisabled`
        public var kind: String
        public var statusBefore: String
        public var statusAfter: String
        /// Why the rules did not apply it.
        public var rejectionReason: String?
        public var productName: String?
        /// The end of the period that it is about.
        public var expiresAt: Date?
        public var notificationId: UUID?

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
    public struct Money: Codable, Hashable, Sendable {
        public var orderNumber: String
        /// As of a transaction: `RENEWAL`, `REFUND`.
        public var type: String
        /// Of a charge the order's status, else the entry's.
        public var status: String
        public var source: String
        public var amount: Amount
        /// ISO 4217.
        public var currency: String
        public var failureReason: String?

        public init(
            orderNumber: String,
            type: String,
            status: String,
            source: String,
            amount: Amount,
            currency: String,
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

    /// What staff did.
    public struct StaffAction: Codable, Hashable, Sendable {
        public var actor: String
        public var role: String?
        public var action: String
        public var objectType: String?
        public var objectId: String?
        /// These three are nil for those who may not see personal data.
        public var before: JSONValue?
        public var after: JSONValue?
        public var reason: String?

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
public struct TimelinePage: Codable, Hashable, Sendable {
    public var moments: [TimelineEvent]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(moments: [TimelineEvent], next: String?) {
        self.moments = moments
        self.next = next
    }
}
