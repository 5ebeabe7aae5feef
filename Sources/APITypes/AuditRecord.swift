public import Foundation

/// Who did what, as `GET /admin/audit` shows it.
public struct AuditRecord: Codable, Hashable, Sendable {
    public var id: UUID
    /// Its place in the chain.
    public var number: Int64?
    public var createdAt: Date
    /// The app's slug.
    public var app: String?
    /// An e-mail address, or the program that acted.
    public var actor: String
    /// `SUPPORT`, `ADMIN`, `ANALYST`; nil for programs.
    public var role: String?
    /// `refund.approve`
    public var action: String
    public var objectType: String?
    public var objectId: String?
    public var before: JSONValue?
    public var after: JSONValue?
    /// `goodwill: The reader crashed all day.`
    public var reason: String?
    public var requestId: String?
    /// Where the request came from.
    public var address: String?
    /// SHA-256 of the entry and all before it, in hexadecimal.
    public var hash: String?

    public init(
        id: UUID,
        number: Int64?,
        createdAt: Date,
        app: String?,
        actor: String,
        role: String?,
        action: String,
        objectType: String?,
        objectId: String?,
        before: JSONValue?,
        after: JSONValue?,
        reason: String?,
        requestId: String?,
        address: String?,
        hash: String?
    ) {
        self.id = id
        self.number = number
        self.createdAt = createdAt
        self.app = app
        self.actor = actor
        self.role = role
        self.action = action
        self.objectType = objectType
        self.objectId = objectId
        self.before = before
        self.after = after
        self.reason = reason
        self.requestId = requestId
        self.address = address
        self.hash = hash
    }
}

/// A page of the audit log.
public struct AuditPage: Codable, Hashable, Sendable {
    public var entries: [AuditRecord]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(entries: [AuditRecord], next: String?) {
        self.entries = entries
        self.next = next
    }
}
