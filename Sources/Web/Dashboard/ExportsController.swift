import Billing
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Operations
import Storage
import Synchronization

/// Lists as files, streamed as the database gives them.
struct ExportsController: Sendable {
    let backOffice: BackOffice

    private var database: Database { backOffice.database }

    /// `GET /dashboard/exports/orders`
    @Sendable func orders(_ call: StaffCall) async throws -> Response {
        let filter = try OrderFilter(query: call.query.pairs).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        return stream(list, of: "orders", filter.queryText(withPosition: false), call)
    }

    /// `GET /dashboard/exports/customers`
    @Sendable func customers(_ call: StaffCall) async throws -> Response {
        let filter = try CustomerFilter(query: call.query.pairs).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, zone: call.zone, seesPersonalData: call.seesPersonalData)
        }
        return stream(list, of: "customers", filter.queryText(withPosition: false), call)
    }

    /// `GET /dashboard/exports/subscriptions`
    @Sendable func subscriptions(_ call: StaffCall) async throws -> Response {
        let filter = try SubscriptionFilter(query: call.query.pairs).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        return stream(list, of: "subscriptions", filter.queryText(withPosition: false), call)
    }

    /// Sends the file, and writes down who took how much of it, also when they went away in the middle.
    private func stream(_ list: ListExport, of name: String, _ filter: QueryText, _ call: StaffCall) -> Response {
        let file = ExportName.file(of: name, filter: filter.text, at: database.now)
        let headers: HTTPFields = [
            .contentType: "text/csv; charset=utf-8; header=present",
            .contentDisposition: "attachment; filename=\"\(file)\"",
        ]
        let zone = call.viewer.zone
        let body = ResponseBody { [database, backOffice] writer in
            let sent = Mutex(0)
            let lent = LentWriter(writer)
            let result: Result<Void, any Error>
            do {
                try await database.export(list, offset: { zone.offset(at: $0) }) { piece, rows in
                    try await lent.write(ByteBuffer(bytes: piece))
                    sent.withLock { $0 = rows }
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
                    app: call.app.id,
                    caller: call.caller
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
