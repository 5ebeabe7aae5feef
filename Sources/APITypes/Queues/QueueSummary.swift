public import Foundation

/// How one queue stands.
public struct QueueSummary: Codable, Hashable, Sendable {
    /// `notifications`, `bulk_jobs` or `reports`.
    public var name: String
    /// Due, and not taken yet.
    public var available: Int
    /// Due later, and never failed.
    public var scheduled: Int
    /// Failed, and tried again later.
    public var retryable: Int
    /// A worker holds it.
    public var running: Int
    /// Given up after its last attempt.
    public var discarded: Int
    /// Since when what has waited longest is due; nil when nothing waits.
    public var oldestDueAt: Date?

    public init(
        name: String,
        available: Int,
        scheduled: Int,
        retryable: Int,
        running: Int,
        discarded: Int,
        oldestDueAt: Date?
    ) {
        self.name = name
        self.available = available
        self.scheduled = scheduled
        self.retryable = retryable
        self.running = running
        self.discarded = discarded
        self.oldestDueAt = oldestDueAt
    }
}

/// Every queue of an app, as `GET /admin/queues` shows it.
public struct QueueList: Codable, Hashable, Sendable {
    public var queues: [QueueSummary]

    public init(queues: [QueueSummary]) {
        self.queues = queues
    }
}
