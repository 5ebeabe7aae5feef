import Synchronization

/// The bytes that the program has written for a COPY in and the connection has not sent yet.
final class CopyBuffer: Sendable {
    enum Next {
        case chunk([UInt8])
        case nothingYet
        /// No more; a reason makes the server throw the rows away.
        case end(failing: String?)
    }

    private struct State {
        var chunks: [[UInt8]] = []
        var byteCount = 0
        var end: (failing: String?, Void)?
        var failure: PostgresError?
        var affectedRows = 0
        var writer: UnsafeContinuation<Void, any Error>?
    }

    /// Bytes that may wait; a writer beyond that is suspended.
    private let capacity = 256 * 1024
    private let state = Mutex(State())
    /// Tells the polling thread that there is something to send.
    private let attend: @Sendable () -> Void

    init(attend: @escaping @Sendable () -> Void) {
        self.attend = attend
    }

    /// Takes a chunk; returns when there is room for the next.
    func write(_ bytes: [UInt8]) async throws {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            let outcome: Result<Bool, PostgresError> = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                if state.end != nil {
                    return .failure(PostgresError(.protocolViolation, "the COPY has ended; nothing can be written"))
                }
                state.chunks.append(bytes)
                state.byteCount += bytes.count
                guard state.byteCount > capacity else { return .success(true) }
                guard state.writer == nil else {
                    return .failure(PostgresError(.protocolViolation, "a COPY is written to by one task at a time"))
                }
                state.writer = continuation
                return .success(false)
            }
            if case .success = outcome { attend() }
            switch outcome {
            case .success(true): continuation.resume()
            case .success(false): break
            case .failure(let error): continuation.resume(throwing: error)
            }
        }
    }

    func end(failing reason: String?) {
        state.withLock { $0.end = $0.end ?? (reason, ()) }
        attend()
    }

    /// Takes the next chunk for the connection to send.
    func take() -> Next {
        let (next, writer): (Next, UnsafeContinuation<Void, any Error>?) = state.withLock { state in
            guard !state.chunks.isEmpty else {
                return (state.end.map { .end(failing: $0.failing) } ?? .nothingYet, nil)
            }
            let chunk = state.chunks.removeFirst()
            state.byteCount -= chunk.count
            guard state.byteCount <= capacity else { return (.chunk(chunk), nil) }
            defer { state.writer = nil }
            return (.chunk(chunk), state.writer)
        }
        writer?.resume()
        return next
    }

    var affectedRows: Int { state.withLock(\.affectedRows) }

    func complete(affectedRows: Int) {
        state.withLock { $0.affectedRows = affectedRows }
    }

    /// The COPY is over for this reason: writers get the error, what waits is thrown away.
    func fail(_ error: PostgresError) {
        let writer: UnsafeContinuation<Void, any Error>? = state.withLock { state in
            state.failure = state.failure ?? error
            state.chunks = []
            state.byteCount = 0
            defer { state.writer = nil }
            return state.writer
        }
        writer?.resume(throwing: error)
    }
}
