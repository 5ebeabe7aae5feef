public import Foundation

/// The request body of `POST /admin/queues/{queue}/retries`.
public struct RetryRequest: ReasonedRequest, Hashable {
    /// The job; nil for all of the queue that failed and can be tried again.
    public var id: UUID?
    public var category: String?
    public var reason: String?

    public static let body = RequestBody(
        required: [.category, .reason],
        optional: [
            .init("id", \Self.id, "The job; without one, all of the queue that failed and can be tried again.")
        ]
    )

    public init(id: UUID? = nil, category: String?, reason: String?) {
        self.id = id
        self.category = category
        self.reason = reason
    }
}

/// The result of a retry.
public struct RetryResult: Resource {
    public var queue: String
    public var count: Int

    public static let fields = Fields<Self> {
        Field("queue", \.queue, .oneOf(Vocabulary.queues))
        Field("count", \.count, "How many jobs were made due.", .range(1))
    }

    public init(queue: String, count: Int) {
        self.queue = queue
        self.count = count
    }
}
