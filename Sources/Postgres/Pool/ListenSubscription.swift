/// One listener of one channel.
final class ListenSubscription: Sendable {
    typealias Stream = AsyncThrowingStream<PostgresNotification, any Error>

    let channel: String
    /// Answered when the LISTEN is in force.
    let ready = Request<Void, Void>(())
    private let continuation: Stream.Continuation

    init(channel: String, continuation: Stream.Continuation) {
        self.channel = channel
        self.continuation = continuation
    }

    /// Passes a notification on. One too many pushes out the oldest, and the listener has to read again.
    func yield(_ notification: PostgresNotification) {
        guard case .dropped = continuation.yield(notification) else { return }
        continuation.yield(.reconnected)
    }

    /// The pool closes.
    func end() {
        ready.finish(.failure(PostgresError.closing))
        continuation.finish()
    }

    func finish(throwing error: PostgresError) {
        ready.finish(.failure(error))
        continuation.finish(throwing: error)
    }

    /// The channel as an SQL name.
    var quotedChannel: String {
        "\"" + channel.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
