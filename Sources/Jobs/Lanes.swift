import Synchronization

/// The lanes that are leased and not begun, and the number of tasks at work.
final class Lanes<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [[Item]]
        var running = 0
        var isLeasing = false
        /// Somebody had nothing to do while another looked what is due: since that look began it may be more.
        var isOutdated = false
    }

    private let state: Mutex<State>

    init(_ lanes: [[Item]] = []) {
        state = Mutex(State(waiting: lanes))
    }

    func next() -> [Item]? {
        state.withLock { $0.waiting.popLast() }
    }

    func add(_ lanes: [[Item]]) {
        state.withLock { $0.waiting += lanes }
    }

    /// Returns the number of tasks that may begin now, and counts them as running: one for each waiting lane, and one to look
    /// what is due.
    func enter(of limit: Int) -> Int {
        state.withLock { state in
            let more = max(0, min(limit - state.running, state.waiting.count + 1))  // safe: counts of tasks
            state.running += more  // safe: at most the limit
            return more
        }
    }

    func leave() {
        state.withLock { $0.running -= 1 }
    }

    /// True when nobody else is looking what is due.
    func beginLease() -> Bool {
        state.withLock { state in
            guard !state.isLeasing else {
                state.isOutdated = true
                return false
            }
            (state.isLeasing, state.isOutdated) = (true, false)
            return true
        }
    }

    /// - Returns: true if somebody has to look again.
    func endLease() -> Bool {
        state.withLock { state in
            state.isLeasing = false
            return state.isOutdated
        }
    }
}
