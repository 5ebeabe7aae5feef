import Synchronization

/// Somebody who waits for an answer, and hears the first one that there is.
final class PendingAnswer: Sendable {
    typealias Outcome = Result<StoreResponse, TransportFailure>

    private enum State {
        /// Nobody waits yet. Can transition to `waiting`, `over`.
        case new
        /// Can transition to `over`.
        case waiting(CheckedContinuation<Outcome, Never>)
        /// It came before somebody waited. Can transition to `over(nil)`.
        case over(Outcome?)
    }

    private let state = Mutex(State.new)

    var isOver: Bool {
        state.withLock { state in
            if case .over = state { true } else { false }
        }
    }

    /// - Returns: false when it is over already, and the continuation was resumed.
    func wait(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let outcome: Outcome? = state.withLock { state in
            guard case .over(let outcome) = state else {
                state = .waiting(continuation)
                return nil
            }
            return outcome
        }
        guard let outcome else { return true }
        continuation.resume(returning: outcome)
        return false
    }

    /// - Returns: false when another was first.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        let (isFirst, continuation): (Bool, CheckedContinuation<Outcome, Never>?) = state.withLock { state in
            switch state {
            case .new:
                state = .over(outcome)
                return (true, nil)
            case .waiting(let continuation):
                state = .over(nil)
                return (true, continuation)
            case .over: return (false, nil)
            }
        }
        continuation?.resume(returning: outcome)
        return isFirst
    }
}
