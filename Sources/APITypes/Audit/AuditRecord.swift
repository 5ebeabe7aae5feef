public import Foundation

/// An entry of the audit log, as `GET /admin/audit` shows it.
public struct AuditRecord: Resource {
    public var id: UUID
    public var number: Int64?
    public var createdAt: Date
    public var app: String?
    public var actor: String
    public var role: String?
    public var action: String
    public var objectType: String?
    public var objectId: String?
    public var before: JSONValue?
    public var after: JSONValue?
    public var reason: String?
    public var requestId: String?
    public var address: String?
    public var hash: String?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("number", \.number, "Its place in the chain.")
        Field("createdAt", \.createdAt)
        Field("app", \.app, "The app's slug.")
        Field("actor", \.actor, "An e-mail address, or the program that acted.")
        Field("role", \.role, .oneOf(["SUPPORT", "ADMIN", "ANALYST"]))
        Field("action", \.action, "`refund.approve`")
        Field("objectType", \.objectType)
        Field("objectId", \.objectId)
        Field("before", \.before, "Fields by their names; null for none, and without `customers:read`.")
        Field("after", \.after, "Fields by their names; null for none, and without `customers:read`.")
        Field(
            "reason",
            \.reason,
            "Such as `goodwill: The reader crashed all day.`; null for none, and without `customers:read`."
        )
        Field("requestId", \.requestId)
        Field("address", \.address, "Where the request came from; null for none, and without `customers:read`.")
        Field("hash", \.hash, "SHA-256 of the entry and all before it, in hexadecimal.")
    }

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
public struct AuditPage: Resource {
    public var entries: [AuditRecord]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("entries", \.entries)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(entries: [AuditRecord], next: String?) {
        self.entries = entries
        self.next = next
    }
}
