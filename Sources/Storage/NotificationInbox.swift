import Foundation
import ServiceLifecycle
import Synchronization

/// Writes notifications in groups: everything that arrived while the previous group committed goes in one statement.
///
/// `store` returns after the commit. A group that fails is written again row by row, so that one bad row fails alone;
/// unless the database is away, which every row would only find out again.
/// The queue is bounded; beyond it the caller is told to come back later (performance.md, decision 3).
package final class NotificationInbox: Service, Sendable {
    /// What became of a notification.
    package enum Outcome: Sendable {
        case stored
        /// It was there already; nothing changed.
        case known
    }

    /// The queue is full or closed; the store should send again.
    package struct Overloaded: Error {}

    private struct Waiting {
        let notification: ReceivedNotification
        let continuation: CheckedContinuation<Outcome, any Error>
    }

    private struct State {
        var queue: [Waiting] = []
        var isClosed = false
    }

    private let database: Database
    private let queueLimit: Int
    private let groupLimit: Int
    private let state = Mutex(State())
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let onStored: @Sendable () -> Void

    /// - Parameter onStored: called after each group with something new in it.
    package init(
        database: Database,
        queueLimit: Int = 5_000,
        groupLimit: Int = 256,
        onStored: @escaping @Sendable () -> Void = {}
    ) {
        self.database = database
        self.queueLimit = queueLimit
        self.groupLimit = groupLimit
        self.onStored = onStored
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Stores one notification durably.
    ///
    /// - Throws: `Overloaded` when the queue is full, the database's error when it could not be written.
    package func store(_ notification: ReceivedNotification) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let accepted = state.withLock { state in
                guard !state.isClosed, state.queue.count < queueLimit else { return false }
                state.queue.append(Waiting(notification: notification, continuation: continuation))
                return true
            }
            guard accepted else { return continuation.resume(throwing: Overloaded()) }
            arrived.yield()
        }
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in arrivals {
                while let group = nextGroup() { await write(group) }
            }
        } onGracefulShutdown: {
            self.close()
        }
        close()
        while let group = nextGroup() { await write(group) }
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
            return group
        }
    }

    private func write(_ group: [Waiting]) async {
        do {
            let new = try await database.insert(group.map(\.notification))
            for waiting in group {
                waiting.continuation.resume(returning: new.contains(waiting.notification.id) ? .stored : .known)
            }
            if !new.isEmpty { onStored() }
        } catch {
            guard group.count > 1, DatabaseFailure(error) != .away else {
                for waiting in group { waiting.continuation.resume(throwing: error) }
                return
            }
            for waiting in group { await write([waiting]) }
        }
    }
}
