import CLibPQ

/// Permission to cancel what a connection runs; names the backend, not the query.
final class PGCancel: @unchecked Sendable {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) {
        self.raw = raw
    }

    deinit {
        PQfreeCancel(raw)
    }

    /// Opens a connection of its own and blocks until the server has taken the request.
    func sendBlocking() {
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(raw, &message, Int32(message.count))  // safe: made above
    }
}
