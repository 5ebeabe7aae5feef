public import Foundation

/// The status of one queue.
public struct QueueSummary: Resource {
    public var name: String
    public var available: Int
    public var scheduled: Int
    public var retryable: Int
    public var running: Int
    public var discarded: Int
    public var oldestDueAt: Date?

    public static let fields = Fields<Self> {
        Field("name", \.name, .oneOf(Vocabulary.queues))
        Field("available", \.available, "Due, and not taken yet.")
        Field("scheduled", \.scheduled, "Due later, and never failed.")
        Field("retryable", \.retryable, "Failed, and tried again later.")
        Field("running", \.running, "A worker holds them.")
        Field("discarded", \.discarded, "Given up after the last attempt; they wait for people.")
        Field("oldestDueAt", \.oldestDueAt, "Since when what has waited longest is due; null when nothing waits.")
    }

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
public struct QueueList: Resource {
    public var queues: [QueueSummary]

    public static let fields = Fields<Self> {
        Field("queues", \.queues)
    }

    public init(queues: [QueueSummary]) {
        self.queues = queues
    }
}
