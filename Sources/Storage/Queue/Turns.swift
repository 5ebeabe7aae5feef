package import Billing
import Synchronization

/// A few places that those take in turn who work in the background: `TurnQueue` says whose turn it is.
package final class Turns: Sendable {
    private struct Waiter: Sendable {
        let id: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var queue: TurnQueue<Waiter>
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>

    /// - Parameter places: the number of turns at a time.
    package init(places: Int) {
        state = Mutex(State(queue: TurnQueue(places: places)))
    }

    /// Runs `body` when the turn of an app comes, and keeps a place for as long.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before its turn; what `body` throws.
    package func take<R: Sendable>(
        of app: App.ID,
        _ urgency: BackgroundWork.Urgency,
        _ body: () async throws -> R
    ) async throws -> R {
        try await wait(of: app, urgency)
        defer {
            state.withLock { $0.queue.leave(urgency) }
            lend()
        }
        return try await body()
    }

    private func wait(of app: App.ID, _ urgency: BackgroundWork.Urgency) async throws {
        let id = state.withLock { state in
            state.lastID += 1  // safe: a count of transactions
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.queue.add(Waiter(id: id, continuation: continuation), of: app, urgency) }
                // A cancellation that came before the wait did not find the waiter.
                if Task.isCancelled { giveUp(id, of: app, urgency) }
                lend()
            }
        } onCancel: {
            giveUp(id, of: app, urgency)
        }
    }

    private func giveUp(_ id: UInt64, of app: App.ID, _ urgency: BackgroundWork.Urgency) {
        state.withLock { $0.queue.remove(of: app, urgency) { $0.id == id } }?
            .continuation.resume(throwing: CancellationError())
    }

    private func lend() {
        while let next = state.withLock({ $0.queue.next() }) { next.continuation.resume() }
    }
}
