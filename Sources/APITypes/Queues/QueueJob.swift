public import Foundation

/// A row of a queue, as `GET /admin/queues/{queue}/jobs` shows it.
public struct QueueJob: Codable, Hashable, Sendable {
    public var id: UUID
    /// `available`, `scheduled`, `retryable`, `running` or `discarded`.
    public var state: String
    /// The notification, the bulk job or the report that it is about.
    public var subjectId: UUID
    /// A notification's type, a bulk job's kind, a report's name; nil where it has no name.
    public var title: String?
    /// How many attempts count towards the last.
    public var attempt: Int
    public var maxAttempts: Int
    public var createdAt: Date
    /// From when on it is due.
    public var scheduledAt: Date
    /// Until when its worker holds it; nil when none does.
    public var leaseEndsAt: Date?
    public var lastError: String?
    /// Whether it failed and can be tried again; what nobody can read cannot.
    public var canBeRetried: Bool

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
public struct QueueJobPage: Codable, Hashable, Sendable {
    public var jobs: [QueueJob]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(jobs: [QueueJob], next: String?) {
        self.jobs = jobs
        self.next = next
    }
}
