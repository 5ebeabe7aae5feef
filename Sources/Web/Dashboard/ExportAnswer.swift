import Billing
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Storage
import Synchronization

extension StaffCall {
    /// Sends the part of a file that comes next, and says how many rows are sent with it.
    typealias ExportPiece = @Sendable (ByteBuffer, _ rows: Int) async throws -> Void

    /// Answers with a list as a file, and writes down who took how much of it, also when they went away in the middle.
    ///
    /// - Parameter app: whose list it is; nil for one that goes across apps.
    func export(
        _ name: String,
        _ filter: QueryText,
        of app: App.ID?,
        _ backOffice: BackOffice,
        _ send: @escaping @Sendable (ExportPiece) async throws -> Void
    ) -> Response {
        let file = ExportName.file(of: name, filter: filter.text, at: backOffice.database.now)
        let headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8; header=present",
            .contentDisposition: "attachment; filename=\"\(file)\"",
        ]
        // The body is written when the request's handler is over; it rests on the same data.
        let body = ResponseBody { [caller, reads = RequestReads.current] writer in
            let sent = Mutex(0)
            let lent = LentWriter(writer)
            let result: Result<Void, any Error>
            do {
                try await RequestReads.$current.withValue(reads) {
                    try await send { piece, rows in
                        try await lent.write(piece)
                        sent.withLock { $0 = rows }
                    }
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            let rows = sent.withLock { $0 }
            let isComplete = if case .success = result { true } else { false }
            // Whoever went away has their task cancelled; what they took is written down all the same.
            try await Task {
                try await backOffice.recordExport(
                    of: name,
                    filter: filter.text,
                    rows: rows,
                    isComplete: isComplete,
                    app: app,
                    caller: caller
                )
            }.value
            try result.get()
            try await lent.finish()
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}

/// A response's writer for as long as an export runs, which writes one piece after the other and from one task alone.
private final class LentWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) {
        self.writer = writer
    }

    func write(_ piece: ByteBuffer) async throws {
        try await writer.write(piece)
    }

    func finish() async throws {
        try await writer.finish(nil)
    }
}
