public import Foundation

/// A customer, as `GET /admin/customers` shows them.
public struct CustomerSummary: Codable, Hashable, Sendable {
    public var id: UUID
    /// What the app or the store calls them.
    public var key: String
    /// The app's own id.
    public var externalId: String?
    /// nil for those who may not see it.
    public var name: String?
    public var email: String?
    /// When we first heard of them.
    public var createdAt: Date
    /// What they may use now; nil without access.
    public var planType: String?
    public var status: String
    public var expiresAt: Date?
    public var lastOrderNumber: String?
    public var lastOrderAt: Date?
    /// Whether they got money back.
    public var hasRefunds: Bool
    /// What is unusual, the gravest first: `SEVERAL_ACCOUNTS`, `FOREIGN_ACCOUNT`, `MANY_REFUNDS`, `RAPID_CHANGES`; only
    /// where one customer is shown.
    public var signals: [String]?

    public init(
        id: UUID,
        key: String,
        externalId: String?,
        name: String?,
        email: String?,
        createdAt: Date,
        planType: String?,
        status: String,
        expiresAt: Date?,
        lastOrderNumber: String?,
        lastOrderAt: Date?,
        hasRefunds: Bool,
        signals: [String]? = nil
    ) {
        self.id = id
        self.key = key
        self.externalId = externalId
        self.name = name
        self.email = email
        self.createdAt = createdAt
        self.planType = planType
        self.status = status
        self.expiresAt = expiresAt
        self.lastOrderNumber = lastOrderNumber
        self.lastOrderAt = lastOrderAt
        self.hasRefunds = hasRefunds
        self.signals = signals
    }
}

/// A page of customers.
public struct CustomerPage: Codable, Hashable, Sendable {
    public var customers: [CustomerSummary]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(customers: [CustomerSummary], next: String?) {
        self.customers = customers
        self.next = next
    }
}
