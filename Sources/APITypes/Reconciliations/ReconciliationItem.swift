public import Foundation

/// One time that a store was asked what it sent, as `GET /admin/reconciliations` shows it.
public struct ReconciliationItem: Resource {
    public var id: UUID
    public var source: String
    public var environment: String
    public var trigger: String
    public var readFrom: Date
    public var readTo: Date
    public var startedAt: Date
    public var finishedAt: Date?
    public var notificationsRead: Int
    public var notificationsUndelivered: Int
    public var notificationsMissed: Int
    public var notificationsRejected: Int
    public var subscriptionsChecked: Int
    public var subscriptionsCorrected: Int
    public var subscriptionsUnknown: Int
    public var problem: String?

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("source", \.source, .oneOf(Vocabulary.sources))
        Field("environment", \.environment, .oneOf(Vocabulary.environments))
        Field(
            "trigger",
            \.trigger,
            "A server, each hour or because staff asked for it; or the command line.",
            .oneOf(Vocabulary.reconciliationTriggers)
        )
        Field("readFrom", \.readFrom, "From when on the store was asked for what it sent.")
        Field("readTo", \.readTo, "The same as `readFrom` where the store could not be read to the end.")
        Field("startedAt", \.startedAt)
        Field("finishedAt", \.finishedAt, "Null while it runs, and for one that was broken off.")
        Field("notificationsRead", \.notificationsRead)
        Field(
            "notificationsUndelivered",
            \.notificationsUndelivered,
            "Of these, those that the store could not deliver."
        )
        Field("notificationsMissed", \.notificationsMissed, "Of these, those that were not here; they are now.")
        Field(
            "notificationsRejected",
            \.notificationsRejected,
            "Of these, those that are not authentic, or of no app here."
        )
        Field("subscriptionsChecked", \.subscriptionsChecked, "Past their end without a word, so the store was asked.")
        Field("subscriptionsCorrected", \.subscriptionsCorrected, "Of these, those that stood otherwise here.")
        Field("subscriptionsUnknown", \.subscriptionsUnknown, "Of these, those that the store does not know.")
        Field("problem", \.problem, "What it could not do; null where it did all.")
    }

    public init(
        id: UUID,
        source: String,
        environment: String,
        trigger: String,
        readFrom: Date,
        readTo: Date,
        startedAt: Date,
        finishedAt: Date?,
        notificationsRead: Int,
        notificationsUndelivered: Int,
        notificationsMissed: Int,
        notificationsRejected: Int,
        subscriptionsChecked: Int,
        subscriptionsCorrected: Int,
        subscriptionsUnknown: Int,
        problem: String?
    ) {
        self.id = id
        self.source = source
        self.environment = environment
        self.trigger = trigger
        self.readFrom = readFrom
        self.readTo = readTo
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.notificationsRead = notificationsRead
        self.notificationsUndelivered = notificationsUndelivered
        self.notificationsMissed = notificationsMissed
        self.notificationsRejected = notificationsRejected
        self.subscriptionsChecked = subscriptionsChecked
        self.subscriptionsCorrected = subscriptionsCorrected
        self.subscriptionsUnknown = subscriptionsUnknown
        self.problem = problem
    }
}

/// A page of them.
public struct ReconciliationPage: Resource {
    public var reconciliations: [ReconciliationItem]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("reconciliations", \.reconciliations)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(reconciliations: [ReconciliationItem], next: String?) {
        self.reconciliations = reconciliations
        self.next = next
    }
}
