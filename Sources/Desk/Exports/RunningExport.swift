import HTTP
import NIOCore

/// A file that is being read from the database, in a task of its own that ends with this.
final class RunningExport: Sendable {
    /// Sends the part of a file that comes next, and says how many rows are sent with it.
    typealias Send = @Sendable (ByteBuffer, _ rows: Int) async throws -> Void

    private let pieces: ExportPieces
    private let reading: Task<Void, Never>

    /// - Parameter end: called once nothing is read any more.
    init(
        _ read: @escaping @Sendable (Send) async throws -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        let pieces = ExportPieces()
        self.pieces = pieces
        reading = Task {
            let result: Result<Void, any Error>
            do {
                try await read { try await pieces.offer(.init(bytes: $0, rows: $1)) }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            end()
            pieces.finish(result)
        }
    }

    deinit {
        stop()
    }

    /// The first piece; nil for a file without any.
    ///
    /// - Throws: `WebError` with `.unavailable` when it is not there within the limit. Nothing is read on then.
    func first(within limit: Duration) async throws -> ExportPieces.Piece? {
        let deadline = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.stop(because: Self.late(limit))
        }
        defer { deadline.cancel() }
        return try await next()
    }

    /// The next piece; nil at the end.
    func next() async throws -> ExportPieces.Piece? { try await pieces.next() }

    /// Ends the reading; what was not taken is lost.
    func stop(because reason: any Error = CancellationError()) {
        pieces.abandon(because: reason)
        reading.cancel()
    }

    private static func late(_ limit: Duration) -> WebError {
        WebError(
            .unavailable,
            "The database did not find the first row within \(limit); ask for fewer rows, or in another order.",
            retryAfter: 60,
            underlying: ExportRejection.late
        )
    }
}
