import HTTP
import NIOCore
import Synchronization

/// Passes the pieces of a file from the task that reads the database to the one that writes the answer.
///
/// One piece at a time: the reader of the database waits until its piece was taken. One task offers and another takes.
final class ExportPieces: Sendable {
    struct Piece: Sendable {
        var bytes: ByteBuffer
        /// In all pieces up to this one.
        var rows: Int
    }

    private enum State {
        /// Nobody waits. Can become any other.
        case idle
        /// A piece waits to be taken. Becomes idle or abandoned.
        case offered(Piece, CheckedContinuation<Void, any Error>)
        /// A taker waits for a piece. Becomes idle, finished or abandoned.
        case wanted(CheckedContinuation<Piece?, any Error>)
        /// No piece follows.
        case finished(Result<Void, any Error>)
        /// Nobody takes any more, for this reason.
        case abandoned(any Error)
    }

    private let state = Mutex(State.idle)

    /// Returns when the piece was taken.
    ///
    /// - Throws: the reason why nobody takes any more.
    func offer(_ piece: Piece) async throws {
        try await withCheckedThrowingContinuation { (offering: CheckedContinuation<Void, any Error>) in
            let taker: CheckedContinuation<Piece?, any Error>?
            let rejection: (any Error)?
            (taker, rejection) = state.withLock { state in
                switch state {
                case .idle:
                    state = .offered(piece, offering)
                    return (nil, nil)
                case .wanted(let taker):
                    state = .idle
                    return (taker, nil)
                case .abandoned(let reason): return (nil, reason)
                // safe: one task offers, waits until the piece is taken, and finishes last; no request decides it
                case .offered, .finished: preconditionFailure("one piece is offered at a time, and none at the end")
                }
            }
            if let rejection { return offering.resume(throwing: rejection) }
            guard let taker else { return }
            taker.resume(returning: piece)
            offering.resume()
        }
    }

    /// The next piece; nil at the end.
    ///
    /// - Throws: the error with which the reading of the database ended, or the reason why nobody takes any more.
    func next() async throws -> Piece? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (taking: CheckedContinuation<Piece?, any Error>) in
                let (answer, offering): (Result<Piece?, any Error>?, CheckedContinuation<Void, any Error>?) =
                    state.withLock { state in
                        switch state {
                        case .idle:
                            state = .wanted(taking)
                            return (nil, nil)
                        case .offered(let piece, let offering):
                            state = .idle
                            return (.success(piece), offering)
                        case .finished(let result): return (result.map { nil }, nil)
                        case .abandoned(let reason): return (.failure(reason), nil)
                        // safe: the response's body is the one reader, and it asks for a piece after the last came
                        case .wanted: preconditionFailure("one task takes the pieces")
                        }
                    }
                if let answer { taking.resume(with: answer) }
                offering?.resume()
            }
        } onCancel: {
            abandon()
        }
    }

    /// No piece follows.
    func finish(_ result: Result<Void, any Error>) {
        let taker: CheckedContinuation<Piece?, any Error>? = state.withLock { state in
            switch state {
            case .idle:
                state = .finished(result)
                return nil
            case .wanted(let taker):
                state = .finished(result)
                return taker
            case .offered, .finished, .abandoned: return nil
            }
        }
        taker?.resume(with: result.map { nil })
    }

    /// Nothing is taken any more; a waiting offer gets this error. Only the first reason counts.
    func abandon(because reason: any Error = CancellationError()) {
        let before = state.withLock { state in
            let before = state
            switch state {
            case .idle, .offered, .wanted: state = .abandoned(reason)
            case .finished, .abandoned: break
            }
            return before
        }
        switch before {
        case .offered(_, let offering): offering.resume(throwing: reason)
        case .wanted(let taker): taker.resume(throwing: reason)
        case .idle, .finished, .abandoned: break
        }
    }
}
