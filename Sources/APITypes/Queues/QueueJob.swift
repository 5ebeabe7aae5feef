public import Foundation

/// A row of a queue, as `GET /admin/queues/{queue}/jobs` shows it.
public struct QueueJob: Resource {
    public var id: UUID
    public var state: String
    public var subjectId: UUID
    public var title: String?
    public var attempt: Int
    public var maxAttempts: Int
    public var createdAt: Date
    public var scheduledAt: Date
    public var leaseEndsAt: Date?
    public var lastError: String?
    public var canBeRetried: Bool

    public static let fields = Fields<Self> {
        Field("id", \.id)
        Field("state", \.state, .oneOf(Vocabulary.jobStates))
        Field("subjectId", \.subjectId, "The notification, the bulk job, the report or the app that it is about.")
        Field(
            "title",
            \.title,
            "A notification's type, a bulk job's kind, a report's or an app's name; null where it has no name."
        )
        Field("attempt", \.attempt, "How many attempts count towards the last.")
        Field("maxAttempts", \.maxAttempts)
        Field("createdAt", \.createdAt)
        Field("scheduledAt", \.scheduledAt, "From when on it is due.")
        Field("leaseEndsAt", \.leaseEndsAt, "Until when its worker holds it; null when none does.")
        Field("lastError", \.lastError)
        Field("canBeRetried", \.canBeRetried, "Whether it failed and can be tried again; what nobody can read cannot.")
    }

    public init(
        id: UUID,
        state: String,
        subjectId: UUID,
        title: String?,
        attempt: Int,
        maxAttempts: Int,
        createdAt: Date,
        scheduledAt: Date,
        leaseEndsAt: Date?,
        lastError: String?,
        canBeRetried: Bool
    ) {
        self.id = id
        self.state = state
        self.subjectId = subjectId
        self.title = title
        self.attempt = attempt
        self.maxAttempts = maxAttempts
        self.createdAt = createdAt
        self.scheduledAt = scheduledAt
        self.leaseEndsAt = leaseEndsAt
        self.lastError = lastError
        self.canBeRetried = canBeRetried
    }
}

/// A page of a queue.
public struct QueueJobPage: Resource {
    public var jobs: [QueueJob]
    public var next: String?

    public static let fields = Fields<Self> {
        Field("jobs", \.jobs)
        Field("next", \.next, "The `after` of the next page; null on the last.")
    }

    public init(jobs: [QueueJob], next: String?) {
        self.jobs = jobs
        self.next = next
    }
}
