public import Foundation

/// A customer, as `GET /admin/customers` shows them.
public struct CustomerSummary: Resource {
    public var id: UUID
    public var key: String
    public var externalId: String?
    public var name: String?
    public var email: String?
    public var createdAt: Date
    public var planType: String?
    public var status: String
    public var expiresAt: Date?
    public var lastOrderNumber: String?
    public var lastOrderAt: Date?
    public var hasRefunds: Bool
    public var signals: [String]?
    public var consentRescindedAt: Date?
    public var testerSince: Date?
    public var lastSeenAt: Date?
    public var locale: String?
    public var platform: String?
    public var appVersion: String?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("key", \.key, "What the app or the store calls them.")
        Field("externalId", \.externalId, "The app's own id.")
        Field("name", \.name, "null where it is not known, without `customers:read`, and for analysts.")
        Field("email", \.email, "null where it is not known, without `customers:read`, and for analysts.")
        Field("createdAt", \.createdAt, "When we first heard of them.")
        Field("planType", \.planType, "In the app's own spelling. Without access, the plan that everybody has.")
        Field(
            "status",
            \.status,
            "Of the plan that everybody has it is `ACTIVE`, unless something ended before.",
            .oneOf(Vocabulary.customerStatuses)
        )
        Field("expiresAt", \.expiresAt, "In the past for what is over; null also for access without end.")
        Field("lastOrderNumber", \.lastOrderNumber)
        Field("lastOrderAt", \.lastOrderAt)
        Field("hasRefunds", \.hasRefunds, "Whether they got money back.")
        Field.ifAny(
            "signals",
            \.signals,
            "What is unusual, the gravest first; only where one customer is shown.",
            .oneOf(Vocabulary.signals)
        )
        Field.ifAny(
            "consentRescindedAt",
            \.consentRescindedAt,
            "Since when a parent's withdrawn consent blocks the use of the app; only where one customer is shown."
        )
        Field.ifAny(
            "testerSince",
            \.testerSince,
            "Since when they are a tester, whom what is bought in the sandbox gives access; only where one customer is shown."
        )
        Field.ifAny(
            "lastSeenAt",
            \.lastSeenAt,
            "When their app called last, to the hour; only where one customer is shown, as the fields below."
        )
        Field.ifAny("locale", \.locale, "The first language that their app asked for (BCP 47).")
        Field.ifAny(
            "platform",
            \.platform,
            "What it runs on. Values may be added.",
            .oneOf(["ios", "macos", "android", "web"])
        )
        Field.ifAny("appVersion", \.appVersion, "As the app spells it.")
    }

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
        signals: [String]? = nil,
        consentRescindedAt: Date? = nil,
        testerSince: Date? = nil,
        lastSeenAt: Date? = nil,
        locale: String? = nil,
        platform: String? = nil,
        appVersion: String? = nil
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
        self.consentRescindedAt = consentRescindedAt
        self.testerSince = testerSince
        self.lastSeenAt = lastSeenAt
        self.locale = locale
        self.platform = platform
        self.appVersion = appVersion
    }
}

/// A page of customers.
public struct CustomerPage: Resource {
    public var customers: [CustomerSummary]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("customers", \.customers)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(customers: [CustomerSummary], next: String?) {
        self.customers = customers
        self.next = next
    }
}
