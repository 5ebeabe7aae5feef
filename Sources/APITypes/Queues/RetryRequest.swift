public import Foundation

/// What is asked for with `POST /admin/queues/{queue}/retries`.
public struct RetryRequest: Codable, Hashable, Sendable {
    /// The job; nil for all of the queue that failed and can be tried again.
    public var id: UUID?
    public var category: String?
    public var reason: String?

    public init(id: UUID? = nil, category: String?, reason: String?) {
        self.id = id
        self.category = category
        self.reason = reason
    }
}

/// What came of it.
public struct RetryResult: Codable, Hashable, Sendable {
    public var queue: String
    /// How many jobs were made due.
    public var count: Int

    public init(queue: String, count: Int) {
        self.queue = queue
        self.count = count
    }
}
