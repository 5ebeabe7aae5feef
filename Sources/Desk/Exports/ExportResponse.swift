import Billing
import Foundation
package import HTTP
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
package import Operations
import Storage

/// The back office's exports: lists leave here as files, within limits.
package struct ExportDesk: Sendable {
    /// The longest that a reader waits for the first row. Proxies wait for a silent server a minute or more, and give up without
    /// a reason.
    package static let patience = Duration.seconds(50)

    package let backOffice: BackOffice
    package let slots: ExportSlots

    package init(backOffice: BackOffice, limits: ExportLimits = ExportLimits()) {
        self.backOffice = backOffice
        slots = ExportSlots(limits)
    }
}

/// A file that somebody asked for.
package struct ExportedFile: Sendable {
    /// The list's name in the log: `orders`.
    package var list: String
    package var name: String
    /// Writes down who took how many rows, and whether these are all.
    package var record: @Sendable (_ rows: Int, _ isComplete: Bool) async throws -> Void
}

extension StaffRequest {
    /// Answers with a list as a file, and writes down who took how much of it, also when they went away in the middle.
    ///
    /// - Parameter app: the app whose list it is; nil for one that goes across apps.
    /// - Throws: as `export(_:at:_:)` does.
    func export(
        _ list: String,
        _ filter: QueryText,
        of app: App.ID?,
        at desk: ExportDesk,
        _ read: @escaping @Sendable (RunningExport.Send) async throws -> Void
    ) async throws -> Response {
        let backOffice = desk.backOffice
        let file = ExportedFile(
            list: list,
            name: ExportName.file(of: list, filter: filter.text, at: backOffice.database.now)
        ) { [caller] rows, isComplete in
            try await backOffice.recordExport(
                of: list,
                filter: filter.text,
                rows: rows,
                isComplete: isComplete,
                app: app,
                caller: caller
            )
        }
        return try await export(file, at: desk, read)
    }

    /// Answers with a file whose beginning is there: a failure before that is an answer of its own.
    ///
    /// A later failure is logged, and the connection is cut, so that nobody takes a part for the whole.
    ///
    /// - Throws: `WebError` with `.tooManyRequests` or `.unavailable` when too many are under way or the first row
    ///   takes too long, and whatever the first rows could not be read for.
    func export(
        _ file: ExportedFile,
        at desk: ExportDesk,
        _ read: @escaping @Sendable (RunningExport.Send) async throws -> Void
    ) async throws -> Response {
        let headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8; header=present",
            .contentDisposition: "attachment; filename=\"\(file.name)\"",
        ]
        guard request.method != .head else { return Response(status: .ok, headers: headers) }
        let (slots, person) = (desk.slots, session.staff)
        try slots.take(for: person)
        let export = RunningExport(read) { slots.giveBack(of: person) }
        // A client that disconnects while a long list is sorted frees its place at once.
        context.channel.closeFuture.whenComplete { [weak export] _ in export?.stop() }
        let first = try await export.first(within: ExportDesk.patience)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { [context] writer in
                let sending = ExportSending(file: file, export: export, context: context)
                try await sending.send(beginningWith: first, to: LentWriter(writer))
            }
        )
    }
}

/// The way of a file to its reader.
private struct ExportSending: Sendable {
    let file: ExportedFile
    let export: RunningExport
    let context: WebRequestContext

    func send(beginningWith first: ExportPieces.Piece?, to writer: LentWriter) async throws {
        var (piece, sent) = (first, 0)
        do {
            while let next = piece {
                do {
                    try await writer.write(next.bytes)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    throw ReaderLeft(cause: error)
                }
                sent = next.rows
                piece = try await export.next()
            }
        } catch {
            export.stop()
            log(error, rows: sent)
            await hangUp()
            do {
                try await record(rows: sent, isComplete: false)
            } catch {
                log(error, rows: sent)
            }
            throw error
        }
        do {
            try await record(rows: sent, isComplete: true)
        } catch {
            log(error, rows: sent)
            await hangUp()
            throw error
        }
        try await writer.finish()
    }

    /// The task of a client that disconnects is cancelled; the rows that it took are recorded all the same.
    private func record(rows: Int, isComplete: Bool) async throws {
        let file = file
        try await Task { try await file.record(rows, isComplete) }.value
    }

    /// A reader who leaves is no failure; a file that breaks off while they are there is, also when the server stops.
    private func log(_ error: any Error, rows: Int) {
        var metadata: Logger.Metadata = ["list": "\(file.list)", "rows": "\(rows)"]
        let hasLeft = error is ReaderLeft || error is CancellationError && !context.channel.isActive
        guard !hasLeft else {
            return context.logger.info("an export was not taken to its end", metadata: metadata)
        }
        metadata["error"] = "\(error)"
        context.logger.error("an export broke off", metadata: metadata)
    }

    /// Resets the connection. Where the answer has no chunks (HTTP/1.0, which proxies speak) its orderly end would look
    /// like the end of the file.
    private func hangUp() async {
        guard let socket = context.channel as? any SocketOptionProvider else { return }
        try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try? await context.channel.close(mode: .all)
    }
}

/// The reader of a file hung up, or read nothing for too long.
private struct ReaderLeft: Error {
    let cause: any Error
}

/// Lends a response's writer to a running export, which writes one piece after another from a single task.
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
