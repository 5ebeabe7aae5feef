import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Operations
import Storage

/// The pages about what staff did. Nothing here changes an entry.
struct AuditController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    /// `GET /dashboard/audit`
    @Sendable func index(_ call: StaffCall) async throws -> Response {
        let zone = call.zone
        let filter = try call.reading { () throws(InvalidCursor) in
            try AuditFilter(query: call.query.pairs, zone: zone)
        }
        let database = backOffice.database
        let list = try await database.read {
            try await $0.screens.audit(filter, scope: call.auditScope, app: call.app.id, counts: counts)
        }
        if list.startsOver { return .seeOther(filter.firstPage.path(zone: zone)) }
        return .page(AuditIndexPage(list: list, filter: filter, zone: zone, viewer: call.viewer, now: database.now))
    }

    /// `GET /dashboard/audit/{id}`, from the primary: whoever has just done something wants to see it.
    @Sendable func show(_ call: StaffCall) async throws -> Response {
        guard let id = UUID(uuidString: try call.parameter("id")),
            let row = try await backOffice.database.readPrimary({
                try await $0.screens.auditEntry(id, scope: call.auditScope)
            })
        else { throw WebError(.notFound, "There is no such entry.") }
        let from = DashboardPath.safe(call.query["from"])
        return .page(AuditShowPage(row: row, from: from, viewer: call.viewer, now: backOffice.database.now))
    }

    /// `POST /dashboard/audit/exports`: the fields of the filter. The answer is the list as CSV, row by row.
    @Sendable func export(_ call: StaffCall) async throws -> Response {
        let zone = call.zone
        var filter = try call.reading { () throws(InvalidCursor) in
            try AuditFilter(query: call.form.pairs, zone: zone)
        }
        filter.position = .first
        let fields = filter.fields(zone: zone).map { ($0.name, Optional($0.value)) }
        try await backOffice.recordExport(of: "audit", filter: fields, caller: call.caller)
        let (database, scope, first) = (backOffice.database, call.auditScope, filter)
        let query = filter.path(zone: zone).split(separator: "?").dropFirst().joined()
        let file = ExportName.file(of: "audit", filter: query, at: database.now)
        let body = ResponseBody { writer in
            try await writer.write(AuditCSV.heading)
            var last: AuditRow?
            while true {
                let (reached, size) = (last, AuditCSV.batch)
                let rows = try await database.read {
                    try await $0.screens.auditEntries(first, scope: scope, after: reached, limit: size)
                }
                try await writer.write(AuditCSV.lines(rows))
                guard rows.count == size else { break }
                last = rows.last
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8",
                .contentDisposition: "attachment; filename=\"\(file)\"",
            ],
            body: body
        )
    }
}

extension StaffCall {
    /// Which entries of the audit log the person may see.
    var auditScope: AuditScope {
        AuditScope(
            viewer: session.staff,
            apps: session.seesAllApps ? .all : .only(Set(session.apps.map(\.id))),
            seesAccounts: session.may(.manageStaff)
        )
    }
}
