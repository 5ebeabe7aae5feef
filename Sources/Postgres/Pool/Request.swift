import Synchronization

/// Something asked of the polling thread, answered exactly once: by the thread, or by the caller who gave up.
final class Request<Content: Sendable, Answer: Sendable>: Sendable {
    private typealias Continuation = UnsafeContinuation<Answer, any Error>

    private enum State {
        /// Not taken up by the thread yet. Can transition to: `taken`, `answered`, `delivered`.
        case waiting(Continuation?)
        /// On a connection. Can transition to: `waiting` (tried again), `answered`, `delivered`.
        case taken(Continuation?)
        /// The answer came before anybody awaited it. Can transition to: `delivered`.
        case answered(Result<Answer, any Error>)
        /// Over.
        case delivered
    }

    let content: Content
    private let state = Mutex<State>(.waiting(nil))
    private let isFirstTry = Atomic(true)

    init(_ content: Content) {
        self.content = content
    }

    /// Awaits the answer; `submit` runs once the continuation is in place.
    func answer(submit: () -> Void = {}) async throws -> Answer {
        try await withUnsafeThrowingContinuation { (continuation: Continuation) in
            let early: Result<Answer, any Error>? = state.withLock { state in
                switch state {
                case .waiting:
                    state = .waiting(continuation)
                    return nil
                case .taken:
                    state = .taken(continuation)
                    return nil
                case .answered(let result):
                    state = .delivered
                    return result
                case .delivered:
                    preconditionFailure("a request is awaited once")  // safe: its one caller awaits it once
                }
            }
            if let early {
                continuation.resume(with: early)
            } else {
                submit()
            }
        }
    }

    /// The thread takes the request up; false when the caller has given up.
    func take() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .taken(continuation)
            return true
        }
    }

    /// The thread puts a request that it had taken back into its queue, once; false when that was done before or
    /// the caller has given up.
    func putBack() -> Bool {
        state.withLock { state in
            guard case .taken(let continuation) = state, isFirstTry.exchange(false, ordering: .relaxed) else {
                return false
            }
            state = .waiting(continuation)
            return true
        }
    }

    /// Answers unless that has happened already; true when this answer counts.
    @discardableResult
    func finish(_ result: Result<Answer, any Error>) -> Bool {
        end(with: result) != .over
    }

    /// Gives up; true when the request was still waiting, so that a queue holds it in vain.
    func abandon(_ error: PostgresError) -> Bool {
        end(with: .failure(error)) == .wasWaiting
    }

    var isOver: Bool {
        state.withLock { state in
            switch state {
            case .waiting, .taken: false
            case .answered, .delivered: true
            }
        }
    }

    private enum End {
        case wasWaiting
        case wasTaken
        case over
    }

    private func end(with result: Result<Answer, any Error>) -> End {
        let (end, continuation): (End, Continuation?) = state.withLock { state in
            let (end, continuation): (End, Continuation?)
            switch state {
            case .waiting(let waiter): (end, continuation) = (.wasWaiting, waiter)
            case .taken(let waiter): (end, continuation) = (.wasTaken, waiter)
            case .answered, .delivered: return (.over, nil)
            }
            state = continuation == nil ? .answered(result) : .delivered
            return (end, continuation)
        }
        continuation?.resume(with: result)
        return end
    }
}
