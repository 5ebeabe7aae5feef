import Foundation
package import Logging
import ServiceLifecycle
import Synchronization

/// The program's connections to one database.
///
/// Single statements share a few pipelined connections; transactions, COPY, streams and LISTEN get one of their own.
/// Queries made before `run()` wait for it.
package final class Pool: Service, Sendable {
    package let configuration: PoolConfiguration
    let inbox = Mailbox()
    private let logger: Logger
    private let admission: ServerAdmission?
    private let hasRun = Atomic(false)
    private let published = Mutex(PoolStatistics())

    /// - Parameter admission: the servers that are let in; nil for any.
    package init(_ configuration: PoolConfiguration, logger: Logger, admission: ServerAdmission? = nil) {
        self.configuration = configuration
        self.admission = admission
        var logger = logger
        logger[metadataKey: "pool"] = "\(configuration.name)"
        self.logger = logger
    }

    /// A recent snapshot of the pool's work.
    package var statistics: PoolStatistics { published.withLock { $0 } }

    /// Keeps the connections until the service shuts down (then it finishes what is under way) or the task is cancelled
    /// (then it does not). Runs once.
    package func run() async throws {
        guard !hasRun.exchange(true, ordering: .relaxed) else {
            throw PostgresError(.poolClosed, "a connection pool runs only once")
        }
        let end = Request<Void, Void>(())
        let (configuration, inbox, logger, admission) = (configuration, inbox, logger, admission)
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                let thread = HelperThread { [self] in
                    let polling = PollingThread(
                        configuration: configuration,
                        inbox: inbox,
                        logger: logger,
                        admission: admission
                    ) { statistics in
                        self.published.withLock { $0 = statistics }
                    }
                    polling.run()
                    end.finish(.success(()))
                }
                guard let thread else {
                    // Nobody will ever read it.
                    inbox.close()
                    throw PostgresError(.poolClosed, "the system has no thread left for a pool")
                }
                try await end.answer()
                // It said goodbye a moment ago.
                thread.join(within: .seconds(1))
            } onGracefulShutdown: {
                inbox.post(.drain)
            }
        } onCancel: {
            inbox.post(.close)
        }
    }

    /// Runs one statement on its own, pipelined with those of others.
    ///
    /// Not for what changes the session: BEGIN, SET, LISTEN and COPY are refused; temporary tables and the advisory locks
    /// of a session are not noticed, and wrong all the same.
    /// After `timeout`, or when the task is cancelled, the caller stops waiting; the statement itself may still run.
    package func query(
        _ query: Query,
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> Rows {
        try await pipeline([query], timeout: timeout, file: file, line: line)[0]
    }

    /// Runs several statements in one round trip; they take effect together or not at all.
    package func pipeline(
        _ queries: [Query],
        timeout: Duration? = nil,
        file: String = #fileID,
        line: Int = #line
    ) async throws -> [Rows] {
        guard !queries.isEmpty else { return [] }
        for query in queries { try query.validateShared() }
        let job = PendingQuery(
            JobContent(.group(queries), deadline: timeout.map { .now + $0 }, file: file, line: line)
        )
        return try await withTaskCancellationHandler {
            try await job.answer { inbox.post(.submit(job)) }
        } onCancel: {
            if job.abandon(PostgresError(.cancelled, "the query was cancelled", file: file, line: line)) {
                inbox.post(.withdrawn)
            }
        }
    }

    /// Lends a connection of one's own. Settings made on it outlive the loan: use SET LOCAL in a transaction.
    package func withConnection<Value>(
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        let connection = try await borrow()
        defer { connection.giveBack() }
        return try await body(connection)
    }

    /// Runs a transaction: COMMIT when the body returns, ROLLBACK when it throws.
    package func withTransaction<Value>(
        at level: IsolationLevel = .readCommitted,
        planning: StatementPlanning = .automatic,
        lockTimeout: Duration? = nil,
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        try await withConnection { connection in
            try await connection.withTransaction(at: level, planning: planning, lockTimeout: lockTimeout, body)
        }
    }

    /// Hears what is notified on a channel from now on; survives the loss of the connection.
    package func listen(
        to channel: String
    ) async throws -> some AsyncSequence<PostgresNotification, any Error> & Sendable {
        let (stream, continuation) = ListenSubscription.Stream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        let subscription = ListenSubscription(channel: channel, continuation: continuation)
        guard !channel.isEmpty, channel.utf8.count < 64, !channel.utf8.contains(0) else {
            throw PostgresError(.encoding, "a channel's name has 1 to 63 bytes and no NUL")
        }
        continuation.onTermination = { [inbox] _ in inbox.post(.unsubscribe(subscription)) }
        try await withTaskCancellationHandler {
            try await subscription.ready.answer { inbox.post(.subscribe(subscription)) }
        } onCancel: {
            subscription.finish(throwing: PostgresError(.cancelled, "listening was cancelled"))
        }
        return stream
    }

    private func borrow() async throws -> Connection {
        let request = LeaseRequest(.now)
        return try await withTaskCancellationHandler {
            try await request.answer { inbox.post(.lend(request)) }
        } onCancel: {
            if request.abandon(PostgresError(.cancelled, "waiting for a connection was cancelled")) {
                inbox.post(.leaseWithdrawn)
            }
        }
    }
}
