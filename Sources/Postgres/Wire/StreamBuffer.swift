import Synchronization

/// The elements that a connection has read and the program has not taken yet. When it is full the connection stops reading.
final class StreamBuffer<Element: Sendable>: Sendable {
    private typealias Continuation = UnsafeContinuation<[Element]?, any Error>

    private struct State {
        var elements: [Element] = []
        var isFinished = false
        var failure: PostgresError?
        var isAbandoned = false
        var isProducerPaused = false
        var consumer: Continuation?
    }

    private enum Outcome {
        case wait
        case deliver([Element]?, producerPaused: Bool)
        case fail(PostgresError)
    }

    private let capacity: Int
    private let state = Mutex(State())
    /// Tells the polling thread that there is room again.
    private let resume: @Sendable () -> Void

    init(capacity: Int, resume: @escaping @Sendable () -> Void) {
        self.capacity = capacity
        self.resume = resume
    }

    /// Adds elements; false when the producer must pause until it is resumed.
    func append(_ elements: [Element]) -> Bool {
        let (consumer, hasRoom): (Continuation?, Bool) = state.withLock { state in
            guard !state.isAbandoned else { return (nil, true) }
            if let consumer = state.consumer {
                state.consumer = nil
                return (consumer, true)
            }
            state.elements.append(contentsOf: elements)
            state.isProducerPaused = state.elements.count >= capacity
            return (nil, !state.isProducerPaused)
        }
        consumer?.resume(returning: elements)
        return hasRoom
    }

    /// No element follows.
    func finish(throwing error: PostgresError? = nil) {
        let consumer: Continuation? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            state.failure = error
            defer { state.consumer = nil }
            return state.consumer
        }
        if let error {
            consumer?.resume(throwing: error)
        } else {
            consumer?.resume(returning: nil)
        }
    }

    /// Everything that is there, nil at the end; the order of rows is kept.
    func next() async throws -> [Element]? {
        try await withUnsafeThrowingContinuation { (continuation: Continuation) in
            let outcome: Outcome = state.withLock { state in
                if state.isAbandoned { return .fail(PostgresError(.cancelled, "the stream was cancelled")) }
                if !state.elements.isEmpty {
                    defer {
                        state.elements = []
                        state.isProducerPaused = false
                    }
                    return .deliver(state.elements, producerPaused: state.isProducerPaused)
                }
                if let failure = state.failure { return .fail(failure) }
                if state.isFinished { return .deliver(nil, producerPaused: false) }
                guard state.consumer == nil else {
                    return .fail(PostgresError(.protocolViolation, "a stream is read by one task at a time"))
                }
                state.consumer = continuation
                return .wait
            }
            switch outcome {
            case .wait:
                break
            case .deliver(let elements, let producerPaused):
                if producerPaused { resume() }
                continuation.resume(returning: elements)
            case .fail(let error):
                continuation.resume(throwing: error)
            }
        }
    }

    /// Nobody will read on: what is here and what comes is thrown away. False when the stream had ended before.
    func abandon() -> Bool {
        let (consumer, wasRunning): (Continuation?, Bool) = state.withLock { state in
            state.isAbandoned = true
            state.elements = []
            defer { state.consumer = nil }
            return (state.consumer, !state.isFinished)
        }
        consumer?.resume(throwing: PostgresError(.cancelled, "the stream was cancelled"))
        return wasRunning
    }
}
