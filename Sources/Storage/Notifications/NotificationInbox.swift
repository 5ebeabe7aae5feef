import Foundation
import ServiceLifecycle
import Synchronization

/// Writes notifications in groups: everything that arrived while the previous group committed goes in one statement.
///
/// `store` returns after the commit, or says after `patience` that it does not know of one. A group that fails is
/// written again row by row, so that one bad row fails alone; unless the database is away, which every row would only
/// find out again. The queue is bounded; beyond it the caller has to come back later (performance.md, decision 3).
package final class NotificationInbox: Service, Sendable {
    /// The result of storing a notification.
    package enum Outcome: Sendable {
        case stored
        /// It was there already; nothing changed.
        case known
    }

    /// The queue is full or closed; the store should send again.
    package struct Overloaded: Error {}

    /// It was not stored in time, or may have been without our knowing; the store should send again.
    package struct TookTooLong: Error {}

    private struct Waiting {
        let notification: ReceivedNotification
        let answer: Answer
        let deadline: ContinuousClock.Instant
    }

    /// Answers a waiting caller once: at the commit, or at the deadline.
    private final class Answer: Sendable {
        private let continuation: Mutex<CheckedContinuation<Outcome, any Error>?>

        init(_ continuation: CheckedContinuation<Outcome, any Error>) {
            self.continuation = Mutex(continuation)
        }

        func give(_ result: Result<Outcome, any Error>) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(with: result)
        }
    }

    private struct State {
        var queue: [Waiting] = []
        var isClosed = false
        /// The notifications in the statement under way.
        var underWay: [Waiting] = []
        var isWatched = false
    }

    let database: Database
    private let queueLimit: Int
    private let groupLimit: Int
    private let patience: Duration
    private let state = Mutex(State())
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    /// The notification that the database last refused; nil once it accepts one.
    let refused = Mutex<ReceivedNotification?>(nil)

    /// The rest of two seconds when the request has been read and its answer has to be written.
    package static let usualPatience = Duration.milliseconds(1_200)

    /// - Parameters:
    ///   - patience: the time that a store waits for its answer; it must have one within two seconds (reliability.md), and reading
    /// the request takes a part of them.
    package init(
        database: Database,
        queueLimit: Int = 5_000,
        groupLimit: Int = 256,
        patience: Duration = NotificationInbox.usualPatience
    ) {
        self.database = database
        self.queueLimit = queueLimit
        self.groupLimit = groupLimit
        self.patience = patience
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Stores one notification durably.
    ///
    /// - Throws: `Overloaded` when the queue is full, `TookTooLong` when the database stalls, its error when it could
    ///   not be written.
    package func store(_ notification: ReceivedNotification) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting(
                notification: notification,
                answer: Answer(continuation),
                deadline: .now + patience
            )
            let (accepted, isFirst) = state.withLock { state in
                guard !state.isClosed, state.queue.count < queueLimit else { return (false, false) }
                state.queue.append(waiting)
                defer { state.isWatched = true }
                return (true, !state.isWatched)
            }
            guard accepted else { return waiting.answer.give(.failure(Overloaded())) }
            arrived.yield()
            if isFirst { Task { await watchDeadlines() } }
        }
    }

    /// Turns away those whose time is over, until nobody waits.
    private func watchDeadlines() async {
        while let next = turnAway(at: .now) { try? await Task.sleep(until: next, clock: .continuous) }
    }

    /// - Returns: when to look again; nil when nobody waits any more.
    private func turnAway(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (late, next): ([Waiting], ContinuousClock.Instant?) = state.withLock { state in
            let late = (state.underWay + state.queue).filter { $0.deadline <= now }
            state.underWay.removeAll { $0.deadline <= now }
            state.queue.removeAll { $0.deadline <= now }
            let next = (state.underWay + state.queue).map(\.deadline).min()
            if next == nil { state.isWatched = false }
            return (late, next)
        }
        for waiting in late { waiting.answer.give(.failure(TookTooLong())) }
        return next.map { max($0, now + .milliseconds(50)) }
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in arrivals {
                await writeAll()
            }
        } onGracefulShutdown: {
            self.close()
        }
        close()
        await writeAll()
    }

    private func writeAll() async {
        while let group = nextGroup() {
            await write(group)
            state.withLock { $0.underWay = [] }
        }
    }

    private func close() {
        state.withLock { $0.isClosed = true }
        arrived.finish()
    }

    private func nextGroup() -> [Waiting]? {
        state.withLock { state in
            guard !state.queue.isEmpty else { return nil }
            let group = Array(state.queue.prefix(groupLimit))
            state.queue.removeFirst(group.count)
            state.underWay = group
            return group
        }
    }

    private func write(_ group: [Waiting]) async {
        do {
            let new = try await database.insert(group.map(\.notification), timeout: patience)
            refused.withLock { $0 = nil }
            for waiting in group {
                waiting.answer.give(.success(new.contains(waiting.notification.id) ? .stored : .known))
            }
        } catch {
            guard group.count > 1, DatabaseFailure(error)?.isPassing != true else {
                if let first = group.first { note(first.notification, refusedFor: error) }
                for waiting in group { waiting.answer.give(.failure(error)) }
                return
            }
            for waiting in group { await write([waiting]) }
        }
    }
}
