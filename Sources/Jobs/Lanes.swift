import Synchronization

/// What is leased and not begun, one lane at a time, and who works on it.
final class Lanes<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [[Item]]
        var running = 0
        var isLeasing = false
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

    /// True when one more may work.
    func enter(of limit: Int) -> Bool {
        state.withLock { state in
            guard state.running < limit else { return false }
            state.running += 1
            return true
        }
    }

    func leave() {
        state.withLock { $0.running -= 1 }
    }

    /// True when nobody else is looking what is due.
    func beginLease() -> Bool {
        state.withLock { state in
            defer { state.isLeasing = true }
            return !state.isLeasing
        }
    }

    func endLease() {
        state.withLock { $0.isLeasing = false }
    }
}
